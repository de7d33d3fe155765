"""The child process that draws: corpus_stage, fed with scripts (stage/stage.h)."""
from child import Child, ChildError


class Failure(Exception):
    """The test failed; the argument says how."""


class Script:
    """Lines for one scene, and who wants to see what it answers."""

    def __init__(self):
        self.parts = []
        self.readers = []
        self.next_object = 0

    def line(self, *words, data=None):
        text = " ".join(str(word) for word in words)
        if data is None:
            self.parts.append(text.encode() + b"\n")
        else:
            self.parts.append(f"{text} +{len(data)}\n".encode())
            self.parts.append(bytes(data))

    def object(self):
        """A number for something new."""
        self.next_object += 1
        return self.next_object

    def read(self, reader, *words):
        """A line that answers with bytes: reader(bytes) raises Failure if they are wrong."""
        self.line(*words)
        self.readers.append(reader)


class Stage:
    def __init__(self, program, seconds, threads):
        self.child = Child(program, seconds)
        self.begin = f"begin {threads}\n".encode()

    def play(self, script):
        """Runs a scene and its readers. Raises Failure."""
        self.child.request(self.begin + b"".join(script.parts) + b"end\n")
        try:
            answers = self.answers()
        except ChildError as error:
            raise Failure(str(error)) from None
        for reader, data in zip(script.readers, answers):
            reader(data)

    def answers(self):
        """What the reads of one scene answered."""
        data = []
        while True:
            kind, _, rest = self.child.line().partition(" ")
            if kind == "done":
                return data
            if kind == "error":
                raise Failure("device: " + rest)
            data.append(self.child.bytes(int(rest)))
