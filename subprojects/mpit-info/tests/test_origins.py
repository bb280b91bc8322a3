"""Origins and defaults of the control variables of MPIs that provide neither: the environment, files, the launcher."""

import json
import os
import pathlib
import tempfile
import unittest

import built


class Origins(unittest.TestCase):
    def changed(self, *arguments, mpi, **variables):
        """The changed control variables by name: value, default, origin and place."""
        if not built.program(mpi):
            self.skipTest(f"{mpi} is missing")
        finished = built.run("--changed", "--json", *arguments, variables=variables)
        self.assertEqual(finished.returncode, 0, finished.stderr)
        return {each["name"]: (each["value"], each["default"], each["origin"], each["place"])
                for each in json.loads(finished.stdout)["control_variables"]}

    def test_a_variable_of_the_environment_that_mpich_reads_is_the_origin(self):
        told = self.changed("--mpi", "mpich", mpi="mpich", MPICH_ALLREDUCE_SHORT_MSG_SIZE="77")
        self.assertEqual(told, {"MPIR_CVAR_ALLREDUCE_SHORT_MSG_SIZE":
                                (77, 2048, "environment", "MPICH_ALLREDUCE_SHORT_MSG_SIZE")})

    def test_a_setting_of_mpiexec_is_of_the_command_line(self):
        program = built.program("mpich")
        told = self.changed("--", "mpiexec.mpich", "-genv", "MPIR_CVAR_ALLREDUCE_SHORT_MSG_SIZE", "78", "-n", "1",
                            str(program), mpi="mpich")
        self.assertEqual(told["MPIR_CVAR_ALLREDUCE_SHORT_MSG_SIZE"], (78, 2048, "command_line", None))

    def test_files_and_the_environment_of_open_mpi_are_origins_with_their_places(self):
        with tempfile.TemporaryDirectory() as home:
            file = pathlib.Path(home) / ".openmpi" / "mca-params.conf"
            file.parent.mkdir()
            file.write_text("# mine\nbtl_tcp_eager_limit = 4242\nbtl_self_eager_limit = 9\n", encoding="utf-8")
            told = self.changed("--name", "btl_*_eager_limit", "--mpi", "openmpi", mpi="openmpi", HOME=home,
                                OMPI_MCA_btl_self_eager_limit="99")
        self.assertEqual(told, {
            "btl_tcp_eager_limit": (4242, 65536, "configuration", f"{os.path.realpath(home)}/.openmpi/mca-params.conf:2"),
            "btl_self_eager_limit": (99, 1024, "environment", "OMPI_MCA_btl_self_eager_limit")})
