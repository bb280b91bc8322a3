"""Adds to the wheel what lies beside the package in the source tree: `pip wheel subprojects/mpit-info`.

These are the schemas, the sources of the agents with the headers of mpit, and the manual page. MPIT_INFO_PACKED names a directory of
compiled agents, which are added too; the name of the wheel says then on which machines they run.
"""

import os
import pathlib
import re
import shutil
import sys

from setuptools import setup
from setuptools.command.build_py import build_py

HERE = pathlib.Path(__file__).resolve().parent
PACKED = sorted(pathlib.Path(os.environ["MPIT_INFO_PACKED"]).glob("*.so")) if "MPIT_INFO_PACKED" in os.environ else []
if "MPIT_INFO_PACKED" in os.environ and not PACKED:
    raise SystemExit(f"there are no agents, *.so, in {os.environ['MPIT_INFO_PACKED'] or 'the directory without a name'}, MPIT_INFO_PACKED")
# The processors by their numbers in the head of a library.
PROCESSORS = {62: "x86_64", 183: "aarch64"}


def platform_of(libraries):
    """The tag of the machines on which these libraries run: those with the versions of glibc that they need, or those like this one if
    they need a C++ library, too."""
    texts = [path.read_bytes() for path in libraries]
    processor, = {PROCESSORS[int.from_bytes(text[18:20], "little")] for text in texts}
    for path, text in zip(libraries, texts):
        # The functions of a program would be replaced by those that a compiler has added to a library that is loaded before all others.
        if path.name.startswith("lib") and b"\0sinf\0" in text:
            raise SystemExit(f"{path} exports sinf() and other functions of its compiler")
    if any(b"\0libstdc++." in text or b"\0libc++." in text for text in texts):
        return f"linux_{processor}"
    return f"manylinux_2_{max(17, *(int(minor) for text in texts for minor in re.findall(rb'GLIBC_2[.]([0-9]+)', text)))}_{processor}"


class WithSources(build_py):
    """Copies the files into the package."""

    def run(self):
        super().run()
        package = pathlib.Path(self.build_lib) / "mpit_info"
        for name in ("schema.json", "stream.json"):
            shutil.copy(HERE / name, package / name)
        sources = package / "sources"
        for name in ("agent", "checks"):
            shutil.copytree(HERE / name, sources / name, dirs_exist_ok=True)
        shutil.copytree(HERE.parent.parent / "include", sources / "include", dirs_exist_ok=True)
        # Those of an earlier wheel are still there.
        shutil.rmtree(package / "agents", ignore_errors=True)
        for path in PACKED:
            (package / "agents").mkdir(exist_ok=True)
            shutil.copy(path, package / "agents")
        sys.path.insert(0, str(HERE))
        from mpit_info import tool_page
        (package / "mpit-info.1").write_text(tool_page.text(), encoding="utf-8")


# The header by which programs name their regions, in the directory `include` of the environment.
setup(cmdclass={"build_py": WithSources}, data_files=[("include/mpit-info", ["include/mpit-info/regions.h"])],
      options={"bdist_wheel": {"plat_name": platform_of(PACKED)}} if PACKED else {})
