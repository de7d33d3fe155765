"""The child process that draws: corpus_stage, fed with scripts (stage/stage.h)."""
import os
import selectors
import subprocess
import threading
import time


class Failure(Exception):
    """The test failed; the argument says how."""


class Script:
    """Lines for one scene, and who wants to see what it answers."""

    def __init__(self):
        self.parts = [b"begin\n"]
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
    """Starts the program again whenever it has ended."""

    def __init__(self, program, seconds):
        self.program = program
        self.seconds = seconds
        self.child = None

    def start(self):
        self.child = subprocess.Popen([self.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                      stderr=subprocess.PIPE)

    def play(self, script):
        """Runs a scene and its readers. Raises Failure."""
        if not self.child or self.child.poll() is not None:
            self.start()
        feed = threading.Thread(target=self.feed, args=(b"".join(script.parts) + b"end\n",))
        feed.start()
        try:
            answers = self.answers(time.monotonic() + self.seconds)
        finally:
            if self.child.poll() is not None:
                self.child = None
            feed.join()
        for reader, data in zip(script.readers, answers):
            reader(data)

    def feed(self, data):
        try:
            self.child.stdin.write(data)
            self.child.stdin.flush()
        except (BrokenPipeError, AttributeError):
            pass

    def stop(self):
        if self.child:
            self.child.kill()
            self.child.communicate()
        self.child = None

    def answers(self, deadline):
        """What the reads of one scene answered."""
        pipe, buffered, data = self.child.stdout, b"", []
        with selectors.DefaultSelector() as selector:
            selector.register(pipe, selectors.EVENT_READ)

            def more():
                nonlocal buffered
                if not selector.select(max(0, deadline - time.monotonic())):
                    self.child.kill()
                    self.child.wait()
                    raise Failure(f"hangs: no end after {self.seconds} s")
                got = os.read(pipe.fileno(), 1 << 20)
                if not got:
                    code = self.child.wait()
                    raise Failure(f"crash: the device's process ended with {code}")
                buffered += got

            while True:
                while b"\n" not in buffered:
                    more()
                head, buffered = buffered.split(b"\n", 1)
                words = head.decode(errors="replace").split(" ", 1)
                if words[0] == "done":
                    return data
                if words[0] == "error":
                    raise Failure("device: " + words[1])
                size = int(words[1])
                while len(buffered) < size:
                    more()
                data.append(buffered[:size])
                buffered = buffered[size:]
