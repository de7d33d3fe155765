"""A child process that answers requests, and is started again when it has crashed or hangs."""
import os
import selectors
import subprocess
import threading
import time


class ChildError(Exception):
    """It crashed or took too long; the argument says which."""


class Child:
    def __init__(self, program, seconds):
        self.program, self.seconds = program, seconds
        self.process = None
        self.buffered = b""
        self.deadline = 0

    def request(self, data):
        """Sends a request from another thread, for the child may answer before it has read it all."""
        if not self.process or self.process.poll() is not None:
            self.process = subprocess.Popen([self.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            self.buffered = b""
        self.deadline = time.monotonic() + self.seconds
        threading.Thread(target=feed, args=(self.process.stdin, data), daemon=True).start()

    def line(self):
        """The next line of the answer."""
        while b"\n" not in self.buffered:
            self.more()
        head, self.buffered = self.buffered.split(b"\n", 1)
        return head.decode(errors="replace")

    def bytes(self, size):
        """The next bytes of the answer."""
        while len(self.buffered) < size:
            self.more()
        data, self.buffered = self.buffered[:size], self.buffered[size:]
        return data

    def more(self):
        pipe = self.process.stdout
        with selectors.DefaultSelector() as selector:
            selector.register(pipe, selectors.EVENT_READ)
            ready = selector.select(max(0, self.deadline - time.monotonic()))
        got = os.read(pipe.fileno(), 1 << 20) if ready else b""
        if got:
            self.buffered += got
            return
        if not ready:
            self.process.kill()
        code = self.process.wait()
        self.process = None
        raise ChildError(f"crash: the process ended with {code}" if ready
                         else f"hangs: no end after {self.seconds} s")


def feed(pipe, data):
    try:
        pipe.write(data)
        pipe.flush()
    except (BrokenPipeError, ValueError):
        pass  # the reader of the answer learns of it
