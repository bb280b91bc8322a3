"""The exception that ends the tool with a sentence and a status: `raise Refusal("there is no rank 7")`."""


class Refusal(Exception):
    """A sentence for the user, printed without a traceback; `status` is the exit status."""

    def __init__(self, sentence, status=2):
        super().__init__(sentence)
        self.status = status
