"""What is installed; Debian releases differ."""
import subprocess


def versions(names):
    """Lines of a package and its version, for those of the names that are known."""
    done = subprocess.run(["dpkg-query", "-W", "-f", "${Package} ${Version}\\n", *names], check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return done.stdout.splitlines()
