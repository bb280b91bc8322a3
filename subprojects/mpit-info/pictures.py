#!/usr/bin/python3
"""Makes the pictures of the documents from records of `mpit-info watch --record`, with the help of Chromium.

    pictures.py <record for the view> <record for the report> <folder>
"""

import io
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from rich.console import Console  # noqa: E402
from rich.terminal_theme import DIMMED_MONOKAI  # noqa: E402

from mpit_info import live, report  # noqa: E402
from mpit_info.launches import Launches  # noqa: E402
from mpit_info.recording import Replay  # noqa: E402
from mpit_info.view_state import ViewState  # noqa: E402

COLUMNS, LINES = 112, 33
TERMINAL = """<!DOCTYPE html><meta charset="utf-8"><style>{stylesheet}
body {{ margin: 0; padding: 18px 22px; background: {background}; color: {foreground}; }}
pre {{ margin: 0; font: 15px/1.3 "DejaVu Sans Mono", monospace; }}</style><pre>{code}</pre>"""


def launches_of(record, until=None):
    """What a record tells up to a moment."""
    replay = Replay(record, 0)
    kept = Launches(command=replay.command)
    for process, message in replay.messages():
        if message and (until is None or message.get("time", 0) < until):
            kept.accept(process, message)
    kept.finish(replay.status, [])
    return kept


def take(page, picture, width, height):
    """Takes a picture of a page."""
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                    "--blink-settings=preferredColorScheme=1", f"--window-size={width},{height}",
                    f"--screenshot={picture}", f"file://{page}"], check=True, stderr=subprocess.DEVNULL)


def main():
    """Makes both pictures."""
    view_record, report_record, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]).resolve()
    with tempfile.TemporaryDirectory() as temporary:
        page = pathlib.Path(temporary) / "page.html"
        end = launches_of(view_record).history_at(0).end
        kept = launches_of(view_record, 0.9 * end).history_at(0)
        console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True, color_system="truecolor")
        chosen = list(kept.columns)
        console.print(live.view(kept, chosen, COLUMNS, LINES, 10, ViewState()))
        page.write_text(console.export_html(theme=DIMMED_MONOKAI, code_format=TERMINAL), encoding="utf-8")
        lines = page.read_text(encoding="utf-8").count("\n")
        take(page, folder / "view.png", 1070, 20 * lines - 60)
        report.write(str(page), launches_of(report_record), lambda history: list(history.columns))
        take(page, folder / "report.png", 1280, 1260)


main()
