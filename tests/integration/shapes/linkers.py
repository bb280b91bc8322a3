# What linkers make of objects: sections that nobody refers to thrown away, all files optimised as one, everything in one
# file without a loader, several objects made one.
#
#     for name, command in linkers.shapes(build): …

from builder import is_clang

SECTIONS = ["-O2", "-ffunction-sections", "-fdata-sections"]
COLLECT = ["-Wl,--gc-sections"]
COMMON = ["-DCOMMON_TREE"]
LINKERS = ("bfd", "gold", "lld")


def objects(build, flags):
    return [build.library_object(name, flags) for name in ("first", "second")]


def one_object(build, linker):
    """`ld -r` makes one object of all."""
    parts = [build.library_object(name, SECTIONS) for name in ("first", "second")]
    return build.once(".o", [linker, "-r", *parts])


def ways(build):
    """Optimisation of all files as one: the flags of the compiler, and those of its linker."""
    if is_clang(build.compiler):
        # What clang leaves for the linker to optimise needs a linker that is made for it.
        kinds = (["-flto"], ["-flto=thin"])
        links = ["-fuse-ld=lld"]
    else:
        kinds = (["-flto"], ["-flto", "-ffat-lto-objects"])
        links = []
    for kind in kinds:
        if build.can_link(["-O2", *kind, *links], f"{' '.join(kind)} with {build.compiler[0]}"):
            yield ["-O2", *kind], ["-O2", *kind, *links]


def shapes(build):
    yield "objects", lambda: build.linked(["-O2"], objects(build, ["-O2"]))
    yield "objects with one tree", lambda: build.linked(["-O0", *COMMON], objects(build, ["-O2", *COMMON]))
    yield "objects without unused sections", lambda: build.linked(SECTIONS, objects(build, SECTIONS), COLLECT)
    yield "modules without unused sections", lambda: build.loading(
        SECTIONS, build.libraries(SECTIONS, COLLECT), "local", COLLECT)
    for flags in (["-static-pie"], ["-static"]):
        if build.can_link(flags, f"a program with {flags[0]}: the C library has no archive"):
            for level in ("-O0", "-O2"):
                yield f"{flags[0]}, {level}", lambda: build.linked([level], objects(build, [level]), flags)
            yield f"{flags[0]} without unused sections", lambda: build.linked(
                SECTIONS, objects(build, SECTIONS), [*COLLECT, *flags])
    for linker in LINKERS:
        use = [f"-fuse-ld={linker}"]
        if not build.can_link(use, f"the linker {linker}"):
            continue
        yield f"modules linked by {linker}, without unused sections", lambda: build.loading(
            SECTIONS, build.libraries(SECTIONS, [*COLLECT, *use]), "local", [*COLLECT, *use])
        yield f"objects linked by {linker}, without unused sections", lambda: build.linked(
            [*SECTIONS, *COMMON], objects(build, [*SECTIONS, *COMMON]), [*COLLECT, *use])
        if linker != "bfd" and build.can_link([*use, "-Wl,--icf=all"], f"--icf=all with {linker}"):
            yield f"functions that are alike made one by {linker}", lambda: build.loading(
                SECTIONS, build.libraries(SECTIONS, ["-Wl,--icf=all", *use]), "local", ["-rdynamic", "-Wl,--icf=all", *use])
        if tool := build.tool(f"ld.{linker}"):
            yield f"objects that ld.{linker} -r makes one", lambda: build.linked(SECTIONS, [one_object(build, tool)], COLLECT)
            yield f"a module of objects that ld.{linker} -r makes one", lambda: build.loading(
                SECTIONS, [build.shared([one_object(build, tool)])] * 2)
    for flags, links in ways(build):
        if flags[-1] == "-ffat-lto-objects":
            continue  # what is linked is the same, and takes seconds each time; archives tries it
        yield f"modules after {' '.join(links)}", lambda: build.loading(flags, build.libraries(flags, links), "local", links)
        if flags[-1] == "-flto=thin":
            continue  # links the same objects in the same ways, and takes seconds for each
        yield f"objects with one tree after {' '.join(links)}", lambda: build.linked(
            [*flags, *COMMON], objects(build, [*flags, *COMMON]), links)
        yield f"objects after {' '.join(links)}, without unused sections", lambda: build.linked(
            [*flags, *SECTIONS], objects(build, [*flags, *SECTIONS]), [*links, *COLLECT])
        yield f"optimised modules in a program that is not, {' '.join(links)}", lambda: build.loading(
            ["-O0"], build.libraries(flags, links), "global", ["-rdynamic"])
