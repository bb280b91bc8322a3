"""Odd and hostile messages without end, the same for a seed: `hostile.Messages(seed).line()` is a line of bytes with its end."""

import json
import random
import re

import samples

# What a terminal, a page, a manual or a file must not get as it is, and what readers of JSON have stumbled over.
TEXTS = ["", "a", "messages_sent", "\x1b[2J", "\x1b]0;title\x07", "\x9b31m", "\x00", "\x7f", "\r", "\x08\x08", "\u202eevil\u202c", "\u2066",
         "\u200b", "\ufeff", "\u2028", "\u2029", "\U000e0041", "\ufffe", "\U0010ffff", "\u0378", "</script><script>alert(1)</script>",
         "<img src=x onerror=alert(1)>", "[bold]x[/bold]", "[link=file:///]x[/link]", ".so /etc/passwd", "'br", "\\*[.T]", "`rm -rf`",
         "%s%n", "{0.__class__}", "../../etc", "-", "--", "=1+1", "\t", "\n", "a\nb", "e\u0301" * 50, "w" * 5000, "\u6f22" * 300, "\U0001f600",
         "nan", "inf", "-inf", "1_000", "0x10", "counter", "level", "state", "local", "user_basic", "none", "MPI_T", "after MPI_Init"]
LITERALS = ["0", "1", "-1", "0.5", "1e-320", "5e-324", "1.7976931348623157e308", "-1.7976931348623157e308", "1e308", "1e309", "-1e999", "1E400",
            "NaN", "Infinity", "-Infinity", "-0", "-0.0", "2147483647", "2147483648", "-2147483649", "9223372036854775807",
            "9223372036854775808", "18446744073709551615", "18446744073709551616", "-9223372036854775809", "1" * 309, "9" * 400,
            "1" * 5000, "1e10", "1e9", "3.2e7", "3600", "86400.5", "1e11", "true", "false", "null", "[]", "{}", "[[]]", "[0]", "[null]", '[""]',
            '{"":0}', '{"a":{"b":[]}}', "[" * 200 + "]" * 200, "[" * 5000 + "]" * 5000, "[" * 2000, '{"a":' * 2000, "01", "+1", ".5", "1.", "'a'",
            "\"", "\"\\", "\"\\u", '"\\ud800"', '"\\udc00\\ud800"', '"\\ud83d\\ude00"', '"\\u0000"', '"\\u001b[31m"', '"\\u009b"', '"\\u202e"',
            "undefined", "", " ", "[1,2,3]", "[1.5,null,7]", '[1,"2",3]', '["nan","inf","-inf"]', "[1e308,1e308,1e308,1e308,1e308,1e308,1e308]",
            "[0,0,0,0,0,0,0,0,0,0,0,0,0]", '{"bytes":8}', '{"bytes":"x","source":1e300}', "0.25", "12.75", "100"]
BYTES = [b"\x00", b"\xff", b"\xfe\xff", b"\xef\xbb\xbf", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\x1b", b"\x9b", b"\r", b"\n", b"\n\n", b"{", b"}",
         b"[", b"\"", b"\\", b",", b":", b"\xe2\x80\xae"]
WORDS = ["message", "hello", "snapshot", "columns", "sample", "event", "counts", "lost", "end", "regions", "distributions", "status", "recording", "token", "process", "of tomorrow"]
SCALAR = re.compile(r'"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|true|false|null')


def literal(text):
    return json.dumps(text, ensure_ascii=False)


NAMES = [literal(name) for name in ("messages_sent", "time_waiting", "queue", "unexpected_message", "x")]
CLASSES = [literal(name) for name in ("counter", "level", "state", "timer", "high_watermark")]


def members(**literals):
    """An object of these properties."""
    return "{" + ",".join(f'"{name}":{value}' for name, value in literals.items()) + "}"


def message(kind, **literals):
    return members(message=literal(kind), **literals)


class Messages:
    """Lines that are messages, almost messages, and none."""

    def __init__(self, seed):
        self.random, self.moment = random.Random(seed), 0.0
        self.chance = self.random.random
        self.odd = [literal(text) for text in TEXTS] + [json.dumps(text) for text in TEXTS] + LITERALS
        whole = json.dumps(samples.document())
        places = [found.span() for found in SCALAR.finditer(whole)]
        # The document as pieces, every other of which can be replaced.
        self.pieces, at = [], 0
        for begin, end in places:
            self.pieces += [whole[at:begin], whole[begin:end]]
            at = end
        self.pieces.append(whole[at:])
        self.makers = [self.sample] * 12 + [self.event] * 4 + [self.hello, self.columns, self.columns, self.counts, self.distributions, self.lost, self.end,
                                                                 self.any_kind, self.regions]

    def pick(self, *usual):
        """One of the usual literals, or an odd one."""
        several = usual if self.chance() < 0.96 else self.odd
        return several[int(self.chance() * len(several))]

    def time(self):
        """A moment, mostly behind the last one."""
        self.moment += self.chance() / 4
        return self.pick(f"{self.moment:.3f}")

    def hello(self):
        return message("hello", rank=self.pick("-1", "0", "1", "7"), processes=self.pick("1", "4"), host=self.pick('"here"'),
                       pid=self.pick("17"), launch=self.pick("null", '"a"', '"launcher=1"'), settings=self.pick('["OMPI_MCA_x"]'), began=self.pick("1000", "1000.25"))

    def column(self):
        return members(name=self.pick(*NAMES), element=self.pick("null", "0", "1"), object=self.pick("null"), type=self.pick('"int"'),
                       **{"class": self.pick(*CLASSES)})

    def columns(self):
        return message("columns", columns=f"[{','.join(self.column() for _ in range(self.random.randrange(5)))}]")

    def sample(self):
        values = ",".join([self.pick("0", "1", "7", "2.5", "null") for _ in range(int(6 * self.chance()))])
        region = f',"region":{self.pick("0", "2", "9")}' if self.chance() < 0.1 else ""
        return f'{{"message":"sample","time":{self.time()},"values":[{values}]{region}}}'

    def regions(self):
        told = ",".join(members(number=self.pick("0", "1", "2", "3"), name=self.pick(*NAMES), above=self.pick("null", "0", "1"), visits=self.pick("7"),
                                seconds=self.pick("0.5"), values=f"{{{self.pick(*NAMES)}:{self.pick('1', '2.5')}}}")
                        for _ in range(self.random.randrange(4)))
        return message("regions", time=self.time(), regions=f"[{told}]")

    def distributions(self):
        told = ",".join(members(function=self.pick(*NAMES), communicator=self.pick(*NAMES), seconds=self.pick("0.5"), longest=self.pick("0.25"),
                                buckets=f"[[{self.pick('3', '40')},{self.pick('7', '200')}]]", **{"class": self.pick("4")})
                        for _ in range(self.random.randrange(3)))
        return message("distributions", time=self.time(), scale=self.pick("2"), lowest=self.pick("6"), highest=self.pick("36"), distributions=f"[{told}]")

    def event(self):
        values = ",".join(f"{self.pick(*NAMES)}:{self.pick('1', '2.5')}" for _ in range(self.random.randrange(3)))
        return message("event", time=self.time(), event=self.pick(*NAMES), values=f"{{{values}}}")

    def counts(self):
        elements = ",".join(f"{self.pick(*NAMES)}:" + members(sum=self.pick("9"), minimum=self.pick("1"), maximum=self.pick("4.5"),
                                                              bins=f"[[{self.pick('1', '0', '-1')},{self.pick('7')}]]")
                            for _ in range(self.random.randrange(3)))
        return message("counts", time=self.time(), event=self.pick(*NAMES), count=self.pick("7", "8"), elements=f"{{{elements}}}")

    def lost(self):
        return message("lost", time=self.time(), events=self.pick("3"))

    def end(self):
        return message("end", time=self.time(), samples=self.pick("9"), cost=self.pick("0.1"))

    def any_kind(self):
        names = self.random.sample(["time", "values", "columns", "document", "rank", "events", "x"], self.random.randrange(4))
        return message(self.random.choice(WORDS), **{name: self.pick("1", "[]") for name in names})

    def document(self):
        """A document of a library in which a few values are others."""
        pieces = list(self.pieces)
        for _ in range(self.random.choice((0, 1, 1, 2, 4))):
            # Names of properties are replaced, too.
            pieces[2 * self.random.randrange(len(pieces) // 2) + 1] = self.random.choice(self.odd)
        return "".join(pieces)

    def snapshot(self):
        return message("snapshot", document=self.document())

    def spoilt(self, line):
        """The line with some bytes that are others."""
        for _ in range(self.random.choice((1, 1, 2, 8))):
            at = self.random.randrange(len(line) + 1)
            how = self.random.randrange(4)
            if how == 0:
                line = line[:at] + self.random.choice(BYTES) + line[at:]
            elif how == 1:
                line = line[:at] + line[at + self.random.choice((1, 1, 4, 40)):]
            elif how == 2:
                line = line[:at] + bytes([self.random.randrange(256)]) + line[at + 1:]
            else:
                line = line[:at] + line[self.random.randrange(len(line) + 1):]
        return line

    def line(self):
        chance = self.chance()
        text = self.snapshot() if chance < 0.005 else self.random.choice(self.odd) if chance < 0.03 else (
            self.makers[int(self.chance() * len(self.makers))]())
        line = text.encode("utf-8", "surrogatepass")
        return (self.spoilt(line) if chance > 0.95 else line) + b"\n"
