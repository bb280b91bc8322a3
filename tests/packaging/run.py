#!/usr/bin/env python3
# Installs mpit, and builds the consumers of this folder in every way in which a project can get at it. Prints one line for each way,
# `ok`, `failed` or `skipped` first.
#     run.py <empty folder>

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
# What a tarball has at its top, beside files whose names begin with a dot.
TOP = {"meson.build", "meson_options.txt", "CMakeLists.txt", "include", "tests", "benchmarks", "examples", "subprojects", "docs",
       "README.md", "CHANGELOG.md", "LICENSE"}


class Failure(Exception):
    """What did not succeed, with its output."""


def run(*command, **variables):
    """What a command prints on its standard output."""
    ended = subprocess.run([str(word) for word in command], env={**os.environ, **variables}, timeout=600, check=False, text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if ended.returncode != 0:
        raise Failure(f"{' '.join(map(str, command))}\n{ended.stdout}exit status {ended.returncode}")
    return ended.stdout


class Ways:
    """The ways in which a consumer is built; each works in a folder of its own below `folder`."""

    def __init__(self, folder):
        self.folder = folder
        self.installed, self.library = folder / "prefix", folder / "library"

    def meson_install(self):
        run("meson", "setup", self.library, ROOT, "--prefix", self.installed, "-Dtests=disabled", "-Dexamples=disabled")
        run("meson", "install", "-C", self.library)
        self.has_licence(self.installed)

    def has_licence(self, prefix):
        if (prefix / "share" / "licenses" / "mpit" / "LICENSE").read_bytes() != (ROOT / "LICENSE").read_bytes():
            raise Failure("another LICENSE was installed")

    def bill_of_materials(self):
        """It lists what was installed, with the sums that others compute, and does not depend on the folder."""
        moved = shutil.copytree(self.installed, self.folder / "moved")
        texts = [run("python3", ROOT / "docs" / "packaging" / "sbom.py", "mpit", folder, SOURCE_DATE_EPOCH="1")
                 for folder in (self.installed, moved)]
        if texts[0] != texts[1]:
            raise Failure("two places gave different bytes")
        document = json.loads(texts[0])
        version = run("pkg-config", "--modversion", "mpit", PKG_CONFIG_PATH=str(self.installed / "share" / "pkgconfig")).strip()
        if [package["versionInfo"] for package in document["packages"]] != [version]:
            raise Failure(f"the packages are {document['packages']}, installed is {version}")
        told = {file["fileName"]: {kind["algorithm"]: kind["checksumValue"] for kind in file["checksums"]} for file in document["files"]}
        installed = [path for path in self.installed.rglob("*") if path.is_file()]
        sums = (line.split(maxsplit=1) for line in run("sha256sum", *installed).splitlines())
        found = {f"./{pathlib.Path(name).relative_to(self.installed)}": value for value, name in sums}
        if found != {name: kinds["SHA256"] for name, kinds in told.items()}:
            raise Failure(f"the bill has {len(told)} files, and these differ: {set(found.items()) ^ {(n, k['SHA256']) for n, k in told.items()}}")

    def pkg_config(self, files, name):
        flags = run("pkg-config", "--cflags", "--libs", "mpit", PKG_CONFIG_PATH=str(files)).split()
        run("g++", "-std=c++20", HERE / "consumer.cpp", *flags, "-o", self.folder / name)
        run(self.folder / name)

    def pkg_config_installed(self):
        self.pkg_config(self.installed / "share" / "pkgconfig", "consumer")

    def pkg_config_uninstalled(self):
        self.pkg_config(self.library / "meson-uninstalled", "consumer_uninstalled")

    def cmake(self, how, prefix=""):
        build = self.folder / f"cmake_{how}_{pathlib.Path(prefix).name}"
        run("cmake", "-G", "Ninja", "-S", HERE, "-B", build, f"-DHOW={how}", f"-DMPIT={ROOT}", f"-DCMAKE_PREFIX_PATH={prefix}")
        run("cmake", "--build", build)
        for program in ("consumer", "seventeen", "featured"):
            run(build / program)

    def cmake_package(self):
        self.cmake("package", self.installed)

    def cmake_subdirectory(self):
        self.cmake("subdirectory")

    def cmake_fetch(self):
        self.cmake("fetch")

    def cmake_install(self):
        prefix = self.folder / "prefix_of_cmake"
        run("cmake", "-G", "Ninja", "-S", ROOT, "-B", self.folder / "library_of_cmake", f"-DCMAKE_INSTALL_PREFIX={prefix}")
        run("cmake", "--install", self.folder / "library_of_cmake")
        self.has_licence(prefix)
        self.cmake("package", prefix)

    def meson_subproject(self):
        project = self.folder / "project"
        (project / "subprojects").mkdir(parents=True)
        for name in ("meson.build", "consumer.cpp"):
            shutil.copy(HERE / name, project)
        (project / "subprojects" / "mpit").symlink_to(ROOT)
        run("meson", "setup", self.folder / "subproject", project)
        run("ninja", "-C", self.folder / "subproject")
        run(self.folder / "subproject" / "consumer")

    def dist_tarball(self):
        """The tarball of the last commit: equal bytes each time, only known names at the top, an installation that works."""
        tarball = self.dist(0o022)
        if self.dist(0o077).read_bytes() != tarball.read_bytes():
            raise Failure("two runs of meson dist gave different bytes")
        with tarfile.open(tarball) as archive:
            archive.extractall(self.folder / "dist")
        [source] = (self.folder / "dist").iterdir()
        unknown = {path.name for path in source.iterdir() if not path.name.startswith(".")} - TOP
        if unknown or not {".cmake", ".clang-format"} <= {path.name for path in source.iterdir()} or (source / ".gitignore").exists():
            raise Failure(f"the top of the tarball has {sorted(path.name for path in source.iterdir())}")
        prefix, build = self.folder / "prefix_of_dist", self.folder / "library_of_dist"
        run("meson", "setup", build, source, "--prefix", prefix, "-Dtests=disabled", "-Dexamples=disabled")
        run("meson", "install", "-C", build)
        self.pkg_config(prefix / "share" / "pkgconfig", "consumer_of_dist")

    def dist(self, umask):
        """Makes the tarball with these bits off for new files."""
        before = os.umask(umask)
        try:
            run("meson", "dist", "-C", self.library, "--no-tests", "--allow-dirty", "--formats", "xztar")
        finally:
            os.umask(before)
        [made] = (self.library / "meson-dist").glob("*.tar.xz")
        return made.rename(self.folder / f"{umask:o}-{made.name}")


def has_history():
    """Whether git knows the last commit of this source tree; a tarball has none."""
    return shutil.which("git") is not None and subprocess.run(
        ["git", "-C", ROOT, "ls-files", "--error-unmatch", "meson.build"], check=False, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL).returncode == 0


def main():
    ways = Ways(pathlib.Path(sys.argv[1]).resolve())
    cmake = "" if shutil.which("cmake") else "cmake is not installed"
    history = "" if has_history() else "meson dist needs a clone, and git"
    failed = 0
    for what, way, missing in (
            ("meson install, with LICENSE", ways.meson_install, ""),
            ("bill of materials of the installation", ways.bill_of_materials, ""),
            ("pkg-config", ways.pkg_config_installed, ""),
            ("pkg-config over the source tree", ways.pkg_config_uninstalled, ""),
            ("CMake find_package, also from C++17", ways.cmake_package, cmake),
            ("CMake add_subdirectory, also from C++17", ways.cmake_subdirectory, cmake),
            ("CMake FetchContent, also from C++17", ways.cmake_fetch, cmake),
            ("CMake install, then find_package", ways.cmake_install, cmake),
            ("Meson subproject", ways.meson_subproject, ""),
            ("meson dist, then meson install and pkg-config", ways.dist_tarball, history)):
        try:
            if not missing:
                way()
            print(f"skipped {what}: {missing}" if missing else f"ok      {what}", flush=True)
        except (Failure, OSError, subprocess.TimeoutExpired) as failure:
            failed += 1
            print(f"failed  {what}\n{failure}", flush=True)
    return 1 if failed else 0


sys.exit(main())
