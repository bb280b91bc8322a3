"""What the user has chosen in the view by keys: `state = ViewState(); state.press("s"); state.order` is "name".

KEYS is the table of the keys, which the help of the view, the manual page and docs/manual.md show.
"""

ORDERS = ("program", "name", "value", "rate", "imbalance")
# A variable with more objects or elements than this is shown as one row until it is split.
MOST_SPLIT = 8
KEYS = (
    ("?", "this help; any key closes it"),
    ("s, S", "sort by name, value, rate, imbalance, or as in the program; S reverses"),
    ("/", "show only names with these words, as you type; Enter keeps, Esc clears"),
    ("p, space", "pause the view; sampling and records go on"),
    ("↑ ↓ PgUp PgDn", "select a variable, and scroll; Home and End, also k and j"),
    ("r, Enter", "split the variable by rank, and join it again"),
    ("o", "join the variable's objects (communicators, peers, elements), and split them"),
    ("c, ← →", "a column for each rank, and back; the arrows scroll the ranks"),
    ("l", "show another launch, if there are several"),
    ("i", "type a line for the job's standard input; Ctrl-D alone ends it"),
    ("q", "end the view; a program runs on, and the table comes at its end"),
    ("Ctrl-C", "interrupt the program, as without the view"),
)
HINTS = ("? help", "q quit", "s sort", "/ filter", "p pause", "r ranks", "o objects", "c columns", "↑↓ select", "i input")
JOB_KEYS = ("i",)


class ViewState:
    """The choices; `rows` and `page` are what was drawn last: all rows, and how many of them fit.

    A row is a variable and the number of a process, None for all; a variable is its name and class, and its column, None if its
    objects are joined.
    """

    def __init__(self, has_job_input=False):
        self.has_job_input = has_job_input
        self.order, self.is_reversed, self.filter, self.has_help = "program", False, "", False
        self.is_paused, self.has_quit, self.typing, self.typed = False, False, None, ""
        self.selected, self.top, self.by_columns, self.first_rank, self.ranks = None, 0, False, 0, 1
        self.by_rank, self.joined, self.rows, self.page = set(), {}, [], 1
        self.launch = 0  # which one behind the latest
        self.to_send = []  # lines for the job; None ends its input

    def is_joined(self, group, members):
        """Whether the objects or elements of a variable share a row; the group is its name and class."""
        return members > 1 and self.joined.get(group, members > MOST_SPLIT)

    def has_table(self):
        """Whether the user works with the table of the variables, which then has the room of the first page."""
        return bool(self.order != "program" or self.is_reversed or self.filter or self.typing == "filter" or self.selected or self.by_columns
                    or self.by_rank)

    def matches(self, label):
        """Whether a variable passes the filter: all words occur in its label, in upper or lower case."""
        return all(word in label.lower() for word in self.filter.lower().split())

    def press(self, key):
        """Does what a key means; unknown keys do nothing."""
        if self.has_help:
            self.has_help = False
        elif self.typing:
            self.type(key)
        elif key in ("?", "h"):
            self.has_help = True
        elif key == "q":
            self.has_quit = True
        elif key in ("p", "space"):
            self.is_paused = not self.is_paused
        elif key == "/":
            self.typing = "filter"
        elif key == "i" and self.has_job_input:
            self.typing, self.typed = "input", ""
        elif key == "escape":
            self.filter, self.selected, self.top = "", None, 0
        elif key in ("s", "S"):
            self.sort(key)
        elif key in ("r", "enter"):
            self.toggle_ranks()
        elif key == "l":
            self.launch, self.selected, self.top = self.launch + 1, None, 0
        elif key == "o":
            self.toggle_objects()
        elif key == "c":
            self.by_columns, self.first_rank = not self.by_columns, 0
        elif key in ("left", "right"):
            self.first_rank = max(min(self.first_rank + (1 if key == "right" else -1), self.ranks - 1), 0)
        else:
            self.move(key)

    def sort(self, key):
        """The next order, or the other direction."""
        if key == "S":
            self.is_reversed = not self.is_reversed
        else:
            self.order, self.is_reversed = ORDERS[(ORDERS.index(self.order) + 1) % len(ORDERS)], False
        self.top = 0 if self.selected is None else self.top

    def type(self, key):
        """Takes a key of a line that is typed; a filter works at once."""
        text = self.filter if self.typing == "filter" else self.typed
        if key == "escape":
            text, is_over = "", True
        elif key == "end of input" and not text and self.typing == "input":
            self.to_send.append(None)
            is_over = True
        else:
            is_over = key == "enter"
            text = (text[:-1] if key == "backspace" else "" if key == "erase line" else text + " " if key == "space"
                    else text + key if len(key) == 1 else text)
        if self.typing == "filter":
            self.filter, self.top = text, 0
        else:
            if key == "enter":
                self.to_send.append(text + "\n")
            self.typed = text
        if is_over:
            self.typing = None

    def place(self):
        """The index of the selected row; None if no row is selected."""
        return self.rows.index(self.selected) if self.selected in self.rows else None

    def move(self, key):
        """Selects another row."""
        step = {"up": -1, "k": -1, "down": 1, "j": 1, "page up": -self.page, "page down": self.page,
                "home": -len(self.rows), "g": -len(self.rows), "end": len(self.rows), "G": len(self.rows)}.get(key)
        if step is None or not self.rows:
            return
        place = self.place()
        # The first arrow selects the first row that is seen.
        place = (self.top - 1 if step == 1 else self.top) if place is None else place
        self.selected = self.rows[max(min(place + step, len(self.rows) - 1), 0)]

    def chosen(self):
        """The variable of the selected row, or of the first one that is seen."""
        if self.place() is None and self.rows:
            self.selected = self.rows[min(self.top, len(self.rows) - 1)]
        return self.selected[0] if self.rows else None

    def toggle_ranks(self):
        """Splits the selected variable by rank, or joins it."""
        variable = self.chosen()
        if variable is not None:
            self.by_rank ^= {variable}
            self.selected = (variable, None)

    def toggle_objects(self):
        """Joins the objects or elements of the selected variable, or splits them."""
        variable = self.chosen()
        if variable is not None:
            group, column = variable
            self.joined[group] = column is not None
            self.selected = (variable, None)

    def follow(self, rows, room):
        """Takes the rows of a drawing, and moves the first one that is seen so that the selected one may be seen in this room."""
        self.rows = rows
        if self.selected is not None and self.selected not in rows:
            # The variable was split or joined, or is filtered out.
            self.selected = next((row for row in rows if row[0][0] == self.selected[0][0]), None)
        place = self.place()
        if place is not None:
            self.top = max(min(self.top, place), place - room + 1)
        self.top = max(min(self.top, len(rows) - 1), 0)
