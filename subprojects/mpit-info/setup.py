"""Adds to the wheel what lies beside the package in the source tree: `pip wheel subprojects/mpit-info`.

These are the schemas, the sources of the agent with the headers of mpit, and the manual page.
"""

import pathlib
import shutil
import sys

from setuptools import setup
from setuptools.command.build_py import build_py

HERE = pathlib.Path(__file__).resolve().parent


class WithSources(build_py):
    """Copies the files into the package."""

    def run(self):
        super().run()
        package = pathlib.Path(self.build_lib) / "mpit_info"
        for name in ("schema.json", "stream.json"):
            shutil.copy(HERE / name, package / name)
        sources = package / "sources"
        shutil.copytree(HERE / "agent", sources / "agent", dirs_exist_ok=True)
        shutil.copy(HERE / "start.c", sources / "start.c")
        shutil.copytree(HERE.parent.parent / "include", sources / "include", dirs_exist_ok=True)
        sys.path.insert(0, str(HERE))
        from mpit_info import tool_page
        (package / "mpit-info.1").write_text(tool_page.text(), encoding="utf-8")


# The header by which programs name their regions, in the directory `include` of the environment.
setup(cmdclass={"build_py": WithSources}, data_files=[("include/mpit-info", ["include/mpit-info/regions.h"])])
