"""Origins and defaults of the control variables of MPIs that provide neither: the environment, files, the launcher."""

import json
import os
import pathlib
import sys
import tempfile
import unittest

import built
import samples
import tool

sys.path.insert(0, str(tool.FRONT))
from mpit_info import origins  # noqa: E402

# Words of a command line behind mpiexec.
OPTIONS = {"mpich": ("-genv", "MPIR_CVAR_NOSUCH", "1"), "openmpi": ("--oversubscribe", "--mca", "nonsense_x", "1")}
ENVIRONMENT = {"mpich": {"MPICH_ALLREDUCE_SHORT_MSG_SIZ": "4", "MPICH_CC": "gcc", "OMPI_MCA_nonsense_x": "1"},
               "openmpi": {"OMPI_MCA_btl_tcp_eager_limmit": "4", "OMPI_MCA_plm_slurm_args": "x", "MPIR_CVAR_NOSUCH": "1"}}
SENTENCES = {
    "mpich": ["MPICH_ALLREDUCE_SHORT_MSG_SIZ sets no control variable of this MPI; perhaps MPIR_CVAR_ALLREDUCE_SHORT_MSG_SIZE is meant.",
              "MPIR_CVAR_NOSUCH sets no control variable of this MPI."],
    "openmpi": ["OMPI_MCA_btl_tcp_eager_limmit sets no control variable of this MPI; perhaps btl_tcp_eager_limit is meant.",
                "nonsense_x sets no control variable of this MPI."]}


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

    def test_settings_that_set_nothing_are_named_by_watch_and_among_the_changed_ones(self):
        for mpi, options in OPTIONS.items():
            if not built.program(mpi):
                continue
            for words in (("watch", "--interval", "0"), ("--changed",)):
                with self.subTest(mpi=mpi, words=words):
                    finished = built.run(*words, "--", f"mpiexec.{mpi}", *options, "-n", "2", built.program(mpi), variables=ENVIRONMENT[mpi])
                    self.assertEqual(finished.returncode, 0, finished.stderr)
                    self.assertEqual([line for line in finished.stdout.splitlines() if "sets no control" in line], SENTENCES[mpi])
                    own = [line for line in finished.stdout.splitlines() if "launcher" in line and "ess_base_jobid" in line]
                    self.assertEqual(len(own), 1 if mpi == "openmpi" and words == ("--changed",) else 0, own)
                    self.assertNotIn("ranks have different values", finished.stderr)

    def test_what_a_script_exports_is_not_said_to_be_the_launchers(self):
        control = samples.control(0, "btl_self_eager_limit", origin="environment", place="OMPI_MCA_btl_self_eager_limit")
        for command, by in ((["mpiexec", "./x"], "the launcher"), (["sh", "job.sh"], "the launcher or a script")):
            self.assertEqual(origins.of_environment(control, command, {})["place"], f"OMPI_MCA_btl_self_eager_limit, set by {by}")

    def test_a_variable_of_another_component_is_not_taken_for_a_misspelt_one(self):
        document = samples.document(control_variables=[samples.control(0, "btl_self_eager_limit"), samples.control(1, "mca_base_param_files")])
        self.assertEqual(origins.unknown(["OMPI_MCA_btl_tcp_eager_limit", "OMPI_MCA_rmaps_base_x", "PMIX_ID"], document, []),
                         ["OMPI_MCA_btl_tcp_eager_limit sets no control variable of this MPI"])


if __name__ == "__main__":
    unittest.main()
