from spack_repo.builtin.build_systems.meson import MesonPackage

from spack.package import *


class Mpit(MesonPackage):
    """The MPI tool information interface (MPI_T) for any communication library, as a header-only C++20 library."""

    # A placeholder: mpit has no public home yet.
    homepage = "https://example.invalid/mpit"
    url = f"{homepage}/mpit-1.0.0.tar.xz"

    license("BSD-3-Clause")

    # The checksum of a released tarball.
    version("1.0.0", sha256="0000000000000000000000000000000000000000000000000000000000000000")

    depends_on("cxx", type="build")
    depends_on("meson@0.63:", type="build")
    depends_on("pkgconfig", type="build")

    conflicts("platform=darwin", msg="mpit needs Linux")
    conflicts("platform=windows", msg="mpit needs Linux")
    conflicts("%gcc@:11", msg="mpit needs g++ 12 or newer")
    conflicts("%clang@:13", msg="mpit needs clang 14 or newer")

    def meson_args(self):
        return ["-Dtests=disabled", "-Dexamples=disabled"]
