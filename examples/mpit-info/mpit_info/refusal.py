"""What ends the tool with a sentence and a status: `raise Refusal("there is no rank 7")`."""


class Refusal(Exception):
    """A sentence for the person in front of the tool, who gets no traceback; `status` is what the shell sees."""

    def __init__(self, sentence, status=2):
        super().__init__(sentence)
        self.status = status
