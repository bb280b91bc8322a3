"""Documents for the tests: `samples.document()` is a small library with one of everything."""


def control(index, name, **facts):
    """A control variable of an integer that nobody has changed."""
    return {"index": index, "name": name, "description": "", "verbosity": "user_basic", "type": "int", "count": 1,
            "binding": "none", "scope": "local", "enumeration": None, "value": 0, "default": 0, "origin": "library",
            "place": None, **facts}


def performance(index, name, **facts):
    return {"index": index, "name": name, "description": "", "verbosity": "user_basic", "class": "counter",
            "type": "unsigned_long", "count": 1, "binding": "none", "enumeration": None, "readonly": False,
            "continuous": False, "atomic": False, "value": 0, **facts}


def event(index, name, **facts):
    return {"index": index, "name": name, "description": "", "verbosity": "user_basic", "binding": "none",
            "elements": [{"name": "source", "type": "int", "displacement": 0},
                         {"name": "bytes", "type": "unsigned_long", "displacement": 8}], **facts}


def category(index, name, controls=(), performances=(), events=(), categories=(), description=""):
    return {"index": index, "name": name, "description": description, "controls": list(controls),
            "performances": list(performances), "events": list(events), "categories": list(categories)}


def document(rank=0, processes=1, **lists):
    """A document of a library with every kind of variable."""
    return {
        "format": "mpit-info 1", "taken": "after MPI_Init", "program": ["./stencil", "--cells", "100"],
        "mpi": {"version": [3, 1], "library": "My MPI 1.2\nBuilt in spring", "rank": rank, "processes": processes,
                "interface": "MPI_T"},
        "control_variables": [
            control(0, "MYMPI_EAGER_LIMIT", description="Largest message sent at once, in bytes",
                    verbosity="tuner_basic", value=1024, default=65536, origin="environment"),
            control(1, "MYMPI_PROTOCOL", description="How messages travel", enumeration="protocol", value="eager",
                    default="automatic", origin="configuration", place="mympi.conf:12", scope="all_equal"),
            control(2, "MYMPI_TRACE_FILE", description="Where the trace goes\nEmpty for no trace", type="char",
                    count=257, value="", default="", verbosity="developer_all"),
            control(3, "MYMPI_RING_SIZES", description="Slots of each ring", type="uint64", count=3,
                    value=[64, 128, 256], default=[64, 128, 256], scope="readonly"),
            control(4, "MYMPI_COMMUNICATOR_WEIGHT", description="Share of a communicator", type="double",
                    binding="communicator", value=None, default=0.5, problem="MPI_T_ERR_INVALID_HANDLE",
                    verbosity="tuner_all"),
            control(5, "MYMPI_BACKOFF", description="Seconds between two attempts", type="double", value="inf",
                    default=0.25, origin="tool"),
        ],
        "performance_variables": [
            performance(0, "messages_sent", description="Messages sent", value=7),
            performance(1, "time_waiting", description="Time spent waiting, in seconds", type="double", value=0.125,
                        **{"class": "timer"}),
            performance(2, "unexpected_queue_length", description="Messages that nobody has asked for",
                        value=3, readonly=True, continuous=True, **{"class": "level"}),
            performance(3, "unexpected_queue_length", description="Longest queue of messages that nobody has asked for",
                        value=9, **{"class": "high_watermark"}),
            performance(4, "communicator_bytes", description="Bytes on a communicator", binding="communicator",
                        verbosity="tuner_detail", value=None, problem="MPI_T_ERR_INVALID_HANDLE",
                        **{"class": "aggregate"}),
            performance(5, "engine_state", description="What the engine does", type="int", enumeration="engine_state",
                        value="idle", continuous=True, **{"class": "state"}),
        ],
        "events": [event(0, "unexpected_message", description="A message nobody had asked for")],
        "sources": [{"index": 0, "name": "steady_clock", "description": "The clock of the system",
                     "ordering": "ordered", "ticks_per_second": 1000000000, "max_ticks": 9223372036854775807}],
        "categories": [
            category(0, "mympi", [3], [], [], [1, 2], "Everything of My MPI"),
            category(1, "p2p", [1], [0, 1], [0], [3], "Point-to-point messages"),
            category(2, "communicators", [4], [4], [], [], "What belongs to a communicator"),
            category(3, "p2p_eager", [0], [2, 3], [], [], "Messages sent at once"),
        ],
        "enumerations": [
            {"name": "protocol", "items": [{"value": 0, "name": "automatic"}, {"value": 1, "name": "eager"},
                                           {"value": 2, "name": "rendezvous"}]},
            {"name": "engine_state", "items": [{"value": 0, "name": "idle"}, {"value": 1, "name": "busy"}]},
        ],
        "holes": [{"kind": "control variable", "index": 6, "problem": "MPI_T_ERR_INVALID_INDEX"},
                  {"kind": "control variable", "index": 7, "problem": "MPI_T_ERR_INVALID_INDEX"}],
        **lists,
    }


def many_variables(count):
    """A document with so many control variables, whose names, values and descriptions are long."""
    return document(categories=[], holes=[], control_variables=[
        control(index, f"MYMPI_CONTROL_WITH_A_RATHER_LONG_NAME_{index:04}", value=index, default=index,
                description=f"The {index}th of many variables, whose description has some twenty words that a terminal "
                            "must break into lines without ever touching the name that stands before it")
        for index in range(count)])
