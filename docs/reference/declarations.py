"""Reads the declarations of the headers with their comments: what the reference shows, and what its check asks.

The headers have plain comments. A comment belongs to the declaration below it, and to those that follow it without an empty
line or a comment of their own; a comment behind a declaration, on its line, belongs to that one.
"""

import dataclasses
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
INCLUDE = ROOT / "include"
PUBLIC_NAMESPACES = {"mpit", "mpit::tool", "mpit::views", "mpit::version"}
PUBLIC_NAMES = {"mpit::core::text"}  # in other namespaces, but parameters and results of public functions
PUBLIC_HEADER = "mpit/mpi_t/constants.hpp"  # all that it declares
C_HEADERS = {path.relative_to(INCLUDE).as_posix() for folder in ("mpit", "mpit/declare") for path in INCLUDE.glob(folder + "/*.h")}
MACRO_HEADERS = C_HEADERS | {"mpit/config.hpp"}
# A macro of users that no header defines.
UNDEFINED = re.compile(r"(MPIT_\w+), by default not defined,")
# A declaration whose comment says so is not public, nor is the rest of its group; or its members are not.
OWN_USE = re.compile(r"(?<! are )(?<! is )for the library's own use\.", re.IGNORECASE)
OWN_MEMBERS = re.compile(r"\bmembers are (for the library's own use|not for users)\.")

TOKEN = re.compile(
    r"""(?P<pp>^[ \t]*\#(?:[^\n\\/]|\\[\s\S]|/(?!/|\*))*)
      | (?P<line>//[^\n]*) | (?P<block>/\*[\s\S]*?\*/)
      | (?P<string>(?:u8|u|U|L)?R"(?P<d>[^(\s]*)\([\s\S]*?\)(?P=d)"|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
      | (?P<number>\d(?:'?[\w.])*) | (?P<word>[A-Za-z_]\w*)
      | (?P<punct>::|->|\.\.\.|<=|>=|==|!=|\+\+|--|\+=|-=|&&|\|\||[^\s\w])""",
    re.VERBOSE | re.MULTILINE)
REFUSED = ("MPIT_REFUSED", "MPIT_REFUSED_NAME")  # macros that have the colon of a constructor's initializers
OPEN, CLOSE = {"(", "[", "{"}, {")", "]", "}"}


@dataclasses.dataclass
class Token:
    kind: str
    text: str
    line: int
    begin: int
    end: int


@dataclasses.dataclass
class Comment:
    text: str
    line: int
    last: int
    trailing: bool


@dataclasses.dataclass
class Declaration:
    kind: str               # class, enum, alias, function, variable, macro, concept
    name: str
    scope: tuple            # the enclosing namespaces and classes
    header: str             # as it is included
    line: int
    last: int
    signature: str
    comment: str = ""       # its own, its group's, or the one behind it
    comment_line: int = 0
    owner: object = None    # the class of a member
    members: list = dataclasses.field(default_factory=list)
    items: list = dataclasses.field(default_factory=list)  # of an enumeration: name, comment
    is_public: bool = True
    is_unnamed: bool = False  # an enumeration without a name of its own

    @property
    def qualified(self):
        return "::".join([*self.scope, self.name])


def with_functions(source):
    """A header that makes prototypes from the table of functions, with the prototypes."""
    table = (INCLUDE / "mpit/mpi_t/functions.def").read_text(encoding="utf-8").split("*/", 2)[2]
    row = re.compile(r"MPIT_T_FUNCTION\((\w+), \w+, \w+,\s*(\([^)]*\)),\s*\([^)]*\)\)")
    prototypes = row.sub(r"int MPIT_C_PLAIN(\1)\2;", table).replace("#undef MPIT_T_FUNCTION\n", "")
    made = re.compile(r"#define MPIT_T_FUNCTION\([^\n]*\\\n *int MPIT_C_PLAIN[^\n]*\\\n[^\n]*\n#include <mpit/mpi_t/functions.def>\n")
    return made.sub(lambda _: prototypes, source)


class Header:
    """The declarations of one header, all of them; public_names() chooses."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.name = self.path.resolve().relative_to(INCLUDE).as_posix()
        self.source = with_functions(self.path.read_text(encoding="utf-8"))
        self.lines = self.source.split("\n")
        self.declarations = []
        self.tokens, self.comments = self._scan()
        self.opening, self.opening_line, self.opening_last = self._opening()
        self.at = 0
        self._scope((), None, True)
        for comment in self.comments:
            if name := UNDEFINED.match(comment.text):
                self.declarations.append(Declaration("macro", name.group(1), (), self.name, comment.line, comment.last,
                                                     f"#define {name.group(1)}", comment.text, comment.line))

    # Tokens and comments -------------------------------------------------------------------------------------------------

    def _scan(self):
        tokens, comments = [], []
        starts = [0] + [m.end() for m in re.finditer("\n", self.source)]
        line_of = {}
        line, position = 1, 0
        for match in TOKEN.finditer(self.source):
            line += self.source.count("\n", position, match.start())
            position = match.start()
            kind = match.lastgroup if match.lastgroup != "d" else "string"
            text = match.group()
            last = line + text.count("\n")
            if kind in ("line", "block"):
                before = self.source[starts[line - 1]:match.start()]
                trailing = before.strip() != ""
                words = text[2:] if kind == "line" else re.sub(r"\n[ \t]*\* ?", "\n", text[2:-2])
                if kind == "line" and comments and not trailing:
                    previous = comments[-1]
                    if previous.last == line - 1 and not previous.trailing and line_of.get(previous.last) == "line":
                        previous.text += "\n" + words[1:] if words[:1] == " " else "\n" + words
                        previous.last = line
                        line_of[line] = "line"
                        continue
                if kind == "line" and comments and trailing is False and comments[-1].trailing and \
                        comments[-1].last == line - 1 and match.start() - starts[line - 1] > 24:
                    comments[-1].text += "\n" + words.strip()  # a comment behind a declaration that goes on below
                    comments[-1].last = line
                    continue
                comments.append(Comment(words[1:] if words[:1] == " " else words, line, last, trailing))
                line_of[last] = kind
            else:
                tokens.append(Token(kind, text, line, match.start(), match.end()))
        end = Token("end", "", line, len(self.source), len(self.source))
        return [*tokens, end], comments

    def _opening(self):
        for comment in self.comments:
            text = re.sub(r"SPDX-License-Identifier: \S+\s*", "", comment.text).strip("\n ")
            if text:
                return text, comment.line, comment.last
        return "", 1, 1

    def _comment_above(self, line):
        while re.match(r"\s*#\s*if", self.lines[line - 2]):
            line -= 1
        for comment in self.comments:
            if comment.last == line - 1 and not comment.trailing and comment.last > self.opening_last:
                return comment
        return None

    def _comment_behind(self, line):
        for comment in self.comments:
            if comment.trailing and comment.line == line:
                return comment
        return None

    # Declarations --------------------------------------------------------------------------------------------------------

    def _skip(self, at):
        """The position behind the bracket that begins at `at`."""
        depth = 0
        while at < len(self.tokens):
            text = self.tokens[at].text
            if self.tokens[at].kind == "punct":
                depth += (text in OPEN) - (text in CLOSE)
            at += 1
            if depth == 0:
                return at
        return at

    def _is_attribute(self, at):
        return self.tokens[at].text == "[" and self.tokens[at + 1].text == "["

    def _skip_angles(self, at):
        """The position behind the `>` of the `<` at `at`."""
        depth = 0
        while at < len(self.tokens):
            text = self.tokens[at].text
            if text in OPEN:
                at = self._skip(at)
                continue
            depth += (text == "<") - (text == ">")
            at += 1
            if depth == 0:
                return at
        return at

    def _scope(self, scope, owner, is_public):
        previous = None
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            text = token.text
            if token.kind == "pp":
                self._macro(token, scope, owner)
                self.at += 1
                continue
            if text == "}" or token.kind == "end":
                return
            if text in ("public", "private", "protected") and self.tokens[self.at + 1].text == ":":
                is_public = text == "public"
                self.at += 2
                continue
            if text == ";":
                self.at += 1
                continue
            if text == "namespace" or (text == "inline" and self.tokens[self.at + 1].text == "namespace"):
                self._namespace(scope)
                previous = None
                continue
            if text == "extern" and self.tokens[self.at + 1].kind == "string":
                self.at += 2
                if self.tokens[self.at].text == "{":
                    self.at += 1
                    self._scope(scope, owner, is_public)
                    self.at += 1
                continue
            made = self._declaration(scope, owner, is_public)
            for each in made:
                self._give_comment(each, previous, token.line)
                (owner.members if owner is not None else self.declarations).append(each)
            if made:
                previous = made[-1]

    def _give_comment(self, made, previous, line):
        above, behind = self._comment_above(line), self._comment_behind(made.line) or self._comment_behind(made.last)
        if self.name in C_HEADERS and made.kind == "function":
            behind = None  # "deprecated", in a group
        if above is not None:
            made.comment, made.comment_line = above.text, above.line
        elif behind is not None and made.kind not in ("class", "enum"):
            made.comment, made.comment_line = behind.text, behind.line
        elif previous is not None and previous.last + 1 >= line and self._is_one_group(previous, made):
            made.comment, made.comment_line = previous.comment, previous.comment_line

    def _is_one_group(self, first, second):
        """Whether the comment above the first is about the second as well: overloads, and lists of constants and types."""
        if OWN_USE.search(joined(first.comment)):
            return True
        if first.kind != second.kind:
            return False
        if self.name in C_HEADERS:
            return True
        if self._comment_behind(first.last) is not None:
            return False
        return (second.kind == "function" and first.name == second.name) or \
            (second.kind in ("variable", "alias") and second.owner is None)

    def _macro(self, token, scope, owner):
        match = re.match(r"\s*#\s*define\s+(\w+)(\([^)]*\))?", token.text)
        if match is None or owner is not None:
            return
        name, line = match.group(1), token.line
        is_guarded = False
        lines = self.lines
        first = line
        while first > 1 and re.match(r"\s*#\s*(if|ifndef|ifdef|else|elif|endif|define|error|include)\b", lines[first - 2]):
            first -= 1
            is_guarded = is_guarded or re.match(r"\s*#\s*ifndef MPIT_", lines[first - 1]) is not None
        value = token.text[match.end():].strip() if match.group(2) is None and "\n" not in token.text else ""
        made = Declaration("macro", name, (), self.name, line, line + token.text.count("\n"),
                           f"#define {name}{match.group(2) or ''} {value}".rstrip())
        above = self._comment_above(first) or self._comment_above(line)
        behind = self._comment_behind(line)
        if above or behind:
            made.comment, made.comment_line = (behind or above).text, (behind or above).line
        elif self.declarations and self.declarations[-1].kind in ("macro", "alias") and \
                self.name in C_HEADERS and line - 1 <= self.declarations[-1].last:
            made.comment, made.comment_line = self.declarations[-1].comment, self.declarations[-1].comment_line
        made.is_public = (is_guarded or self.name in MACRO_HEADERS) and not re.search(r"_(H|HPP)$", name)
        self.declarations.append(made)

    def _namespace(self, scope):
        names = []
        self.at += 1 if self.tokens[self.at].text == "namespace" else 2
        while self.tokens[self.at].text not in ("{", ";"):
            token = self.tokens[self.at]
            if self._is_attribute(self.at):
                self.at = self._skip(self.at)
                continue
            if token.kind == "word" and not re.fullmatch(r"inline|v\d+_\d+|MPIT_MODULE_LOCAL", token.text):
                names.append(token.text)
            self.at += 1
        self.at += 1
        if self.tokens[self.at - 1].text == "{":
            self._scope((*scope, *names), None, True)
            self.at += 1

    def _declaration(self, scope, owner, is_public):
        """Passes one declaration, and returns what it declares."""
        tokens, begin = self.tokens, self.at
        at = begin
        is_template = False
        while True:  # what stands before the declaration proper
            text = tokens[at].text
            if text == "template" and tokens[at + 1].text == "<":
                is_template = True
                at = self._skip_angles(at + 1)
            elif text == "requires":
                at += 1
                if tokens[at].text == "(":
                    at = self._skip(at)
                else:
                    while tokens[at].kind == "word" or tokens[at].text == "::":
                        at += 1
                    if tokens[at].text == "<":
                        at = self._skip_angles(at)
            elif self._is_attribute(at):
                at = self._skip(at)
            elif text == "MPIT_MODULE_LOCAL":
                at += 1
            else:
                break
        word = tokens[at].text
        if word in ("static_assert", "friend", "template", "__asm__", "alignas") or (word == "using" and tokens[at + 1].text in
                                                                        ("namespace", "enum")):
            return self._pass_statement(at)
        if word == "typedef":
            return self._typedef(at, scope, owner, is_public)
        if word == "using":
            end = at
            while tokens[end].text != ";":
                end = self._skip(end) if tokens[end].text in OPEN else end + 1
            self.at = end + 1
            if tokens[at + 2].text != "=" and owner is not None:
                return []  # names of a base class
            name = tokens[at + 1 if tokens[at + 2].text == "=" else end - 1].text
            return [self._made("alias", name, scope, owner, is_public, begin, end)]
        if word == "concept":
            self._pass_statement(at)
            return [self._made("concept", tokens[at + 1].text, scope, owner, is_public, begin, self.at - 1)]
        if word in ("class", "struct", "union", "enum"):
            body = self._body_of_type(at)
            if body is not None:
                return self._type(word, at, body, scope, owner, is_public, begin)
            if all(t.kind == "word" for t in tokens[at:at + 2]) and tokens[at + 2].text == ";":
                return self._pass_statement(at)  # defined elsewhere
        return self._function_or_variable(at, scope, owner, is_public, begin, is_template)

    def _pass_statement(self, at):
        while self.tokens[at].text != ";":
            if self.tokens[at].text == "{":  # a friend that is defined here
                at = self._skip(at)
                if self.tokens[at].text == ";":
                    at += 1
                self.at = at
                return []
            at = self._skip(at) if self.tokens[at].text in OPEN else at + 1
        self.at = at + 1
        return []

    def _body_of_type(self, at):
        while True:
            text = self.tokens[at].text
            if text in (";", "(", "=", ")"):
                return None
            if text == "{":
                return at
            if self._is_attribute(at):
                at = self._skip(at)
            elif text == "<":
                at = self._skip_angles(at)
            else:
                at += 1

    def _type(self, word, at, body, scope, owner, is_public, begin):
        tokens = self.tokens
        head = at + 1
        while tokens[head].text in ("class", "struct", "[", "MPIT_MODULE_LOCAL"):
            head = self._skip(head) if tokens[head].text == "[" else head + 1
        name = ""
        end = head
        if tokens[head].kind == "word":
            name = tokens[head].text
            end = head + 1
            if tokens[end].text == "<":
                close = self._skip_angles(end)
                name += self.source[tokens[end].begin:tokens[close - 1].end]
        made = self._made("enum" if word == "enum" else "class", name, scope, owner, is_public, begin, body)
        if word == "enum":
            self._items(made, body)
            self.at = self._skip(body)
        else:
            self.at = body + 1
            self._scope((*scope, name), made, word != "class")
            self.at += 1
        made.last = tokens[self.at - 1].line
        while tokens[self.at].text != ";":  # objects that are declared with the type
            self.at = self._skip(self.at) if tokens[self.at].text in OPEN else self.at + 1
        if not name and tokens[self.at - 1].kind == "word":
            made.name = tokens[self.at - 1].text
        if not made.name and made.items:
            made.name, made.is_unnamed = made.items[0][0], True
        self.at += 1
        return [made]

    def _items(self, made, body):
        at, end = body + 1, self._skip(body) - 1
        is_first = True
        while at < end:
            token = self.tokens[at]
            if is_first and token.kind == "word" and token.text not in dict(made.items):
                behind = self._comment_behind(token.line)
                made.items.append((token.text, behind.text if behind else ""))
            is_first = token.text == "," or (is_first and token.kind == "pp")
            at = self._skip(at) if token.text in OPEN else at + 1

    def _typedef(self, at, scope, owner, is_public):
        tokens, begin = self.tokens, at
        body = None
        if tokens[at + 1].text in ("struct", "enum", "union"):
            body = self._body_of_type(at + 1)
        if body is not None:
            made = self._type(tokens[at + 1].text, at + 1, body, scope, owner, is_public, begin)
            end = self.at - 2
            made[0].name = tokens[end].text
            made[0].signature = re.sub(r"^typedef ", "", made[0].signature)
            return made
        end = at
        while tokens[end].text != ";":
            end = self._skip(end) if tokens[end].text in OPEN else end + 1
        self.at = end + 1
        name = tokens[end - 1].text
        if name == ")":  # typedef void(name)(parameters)
            name = next(tokens[i + 1].text for i in range(at, end) if tokens[i].text == "(")
        return [self._made("alias", name, scope, owner, is_public, begin, end)]

    def _function_or_variable(self, at, scope, owner, is_public, begin, is_template):
        tokens = self.tokens
        names, name, is_function, is_pointer = [], None, False, False
        behind_parameters, in_initializers, angle = False, False, 0
        position = at
        end = None
        while True:
            token = tokens[position]
            text = token.text
            if token.kind == "end":
                self.at = position
                return []
            if text == "operator" and name is None:
                last = position + 1
                symbols = ""
                while tokens[last].text != "(" or (symbols == "" and tokens[last + 1].text == ")"):
                    symbols += (" " if tokens[last].kind == "word" and symbols == "" else "") + tokens[last].text
                    last += 1
                    if symbols == "(":
                        symbols = "()"
                        last += 1
                name = "operator" + symbols
                is_function = True
                position = self._skip(last)
                behind_parameters = True
                continue
            if text == "<" and not behind_parameters and name is None:
                position = self._skip_angles(position)
                continue
            if text == "(" and name is None and not names:
                before = tokens[position - 1]
                if tokens[position + 1].text in ("*", "&") and before.text != "MPIT_C_PLAIN":
                    is_pointer = True
                    name = tokens[position + 2].text
                elif before.kind == "word" and before.text in ("MPIT_C_PLAIN", "MPIT_C_PROFILED", "MPIT_C_INFO_PLAIN",
                                                               "MPIT_C_INFO_PROFILED"):
                    base = {"MPIT_C_PLAIN": "MPI_T_", "MPIT_C_PROFILED": "PMPI_T_", "MPIT_C_INFO_PLAIN": "MPI_Info_",
                            "MPIT_C_INFO_PROFILED": "PMPI_Info_"}[before.text]
                    name = base + tokens[position + 1].text
                    is_function = True
                    position = self._skip(position)
                    position = self._skip(position)
                    behind_parameters = True
                    continue
                elif before.kind == "word" and before.text not in ("noexcept", "requires", "__attribute__", "decltype",
                                                                   "alignas", "explicit", *REFUSED):
                    name = before.text
                    if tokens[position - 2].text == "~":
                        name = "~" + name
                    is_function = True
                    behind_parameters = True
                position = self._skip(position)
                continue
            if text in ("=", "{", ";") and not is_function and name is None and not names and position > at and \
                    (tokens[position - 1].text == ">" or tokens[position - 2].text == "::"):
                return self._pass_statement(position)  # a specialisation of a variable, or a member that is defined outside
            if text == ";" and names and tokens[position - 1].kind == "word" and tokens[position - 2].text == ",":
                names.append(tokens[position - 1].text)
            if text in ("=", ",") and not is_function and name is None and tokens[position - 1].kind in ("word", "punct"):
                if tokens[position - 1].kind == "word":
                    names.append(tokens[position - 1].text)
                if text == "=":
                    end = end or position
                    position += 1
                    while tokens[position].text not in (";", ","):
                        if tokens[position].text == "<" and tokens[position - 1].kind == "word" and \
                                tokens[position - 1].text[0].islower() and "_cast" in tokens[position - 1].text:
                            position = self._skip_angles(position)
                        elif tokens[position].text in OPEN:
                            position = self._skip(position)
                        else:
                            position += 1
                    continue
                position += 1
                continue
            if text == "[" and not is_function and name is None and not names and tokens[position - 1].kind == "word":
                names.append(tokens[position - 1].text)
                position = self._skip(position)
                continue
            if text == ";":
                end = end or position
                position += 1
                break
            if text in (":", *REFUSED) and behind_parameters:
                in_initializers = True
                end = end or position
            if text == "{":
                if not is_function:
                    if name is None and tokens[position - 1].kind == "word":
                        names.append(tokens[position - 1].text)
                    end = end or position
                    position = self._skip(position)
                    continue
                if in_initializers and (tokens[position - 1].kind == "word" or tokens[position - 1].text == ">"):
                    position = self._skip(position)
                    continue
                end = end or position
                position = self._skip(position)
                if tokens[position].text == ";":
                    position += 1
                break
            position = self._skip(position) if text in OPEN else position + 1
        self.at = position
        if name is None and not names:
            if tokens[position - 2].kind == "word":
                names = [tokens[position - 2].text]
            else:
                return []
        if name is not None:
            names = [name]
        kind = "function" if is_function else "variable"
        all_made = []
        for each in names:
            made = self._made(kind, each, scope, owner, is_public, begin, end)
            if kind == "variable":
                made.signature = self._text(begin, position - 1)
            made.last = tokens[position - 1].line
            all_made.append(made)
        return all_made

    def _text(self, begin, end):
        """The source of some tokens on one line, without comments and attributes."""
        parts = []
        for token in self.tokens[begin:end]:
            if token.kind != "pp":
                parts.append((" " if parts and self.source[token.begin - 1] in " \n\t" else "") + token.text)
        text = "".join(parts)
        text = re.sub(r"\[\[.*?\]\]\s*|\bMPIT_MODULE_LOCAL\s*", "", text)
        return re.sub(r"\s+", " ", text).strip()

    def _made(self, kind, name, scope, owner, is_public, begin, end):
        line = next((t.line for t in self.tokens[begin:end + 1] if t.text == name), self.tokens[begin].line)
        return Declaration(kind, name, scope, self.name, line, self.tokens[end].line, self._text(begin, end),
                           owner=owner, is_public=is_public)


def public_names(header):
    """The public declarations of a header, in its order, once if each branch of an #if has them. Members are in their classes."""
    def is_of_users(each):
        if each.kind == "macro":
            return each.is_public
        if header.name in C_HEADERS:
            return not each.scope
        return "::".join(each.scope) in PUBLIC_NAMESPACES or each.qualified in PUBLIC_NAMES or header.name == PUBLIC_HEADER

    hidden = {each.qualified for each in header.declarations if OWN_USE.search(joined(each.comment))}
    chosen = {}
    for each in header.declarations:
        if each.name and is_of_users(each) and hidden.isdisjoint({each.qualified, each.qualified.split("<")[0]}):
            chosen.setdefault((each.qualified, each.kind == "function" and each.signature), each)
    for each in chosen.values():
        _choose_members(each)
    return list(chosen.values())


def _choose_members(of):
    if OWN_MEMBERS.search(joined(of.comment)):
        of.members = []
    of.members = [each for each in of.members if each.is_public and not OWN_USE.search(joined(each.comment))]
    for each in of.members:
        _choose_members(each)


def joined(comment):
    return " ".join(comment.split())


def headers():
    made = [Header(path) for path in sorted(INCLUDE.glob("mpit/**/*.h*"))]
    declared = [each for header in made for each in header.declarations]
    enumerations = {f"using {each.qualified.removeprefix('mpit::')}": each for each in declared if each.kind == "enum"}
    for each in declared:
        if each.signature in enumerations:  # of another namespace
            of = enumerations[each.signature]
            each.kind, each.signature, each.items = of.kind, of.signature, of.items
    return made
