"""Tables of what a run came to."""
import collections

from reasons import REASONS


def folder_of(name):
    """generated_tests/spec/glsl-1.10/... counts as spec/glsl-1.10."""
    words = name.split("/")
    return "/".join(words[1:3]) if len(words) > 3 else words[1]


def finish(results, options):
    if options.verdicts:
        with open(options.verdicts, "w", encoding="utf-8") as file:
            file.writelines("\t".join(result) + "\n" for result in results)
    folders = collections.defaultdict(collections.Counter)
    reasons = collections.Counter()
    for name, verdict, _ in results:
        folders[folder_of(name)][verdict.split()[0]] += 1
        folders["all"][verdict.split()[0]] += 1
        if verdict.startswith("n/a"):
            reasons[verdict.split()[1]] += 1
    print(f"{'folder':44} passed failed    n/a")
    for folder, counts in sorted(folders.items(), key=lambda item: (item[0] == "all", item[0])):
        print(f"{folder:44} {counts['passed']:6} {counts['failed']:6} {counts['n/a']:6}")
    for reason, count in reasons.most_common():
        print(f"{count:6} not applicable: {REASONS[reason]}")
    failed = [(name, detail) for name, verdict, detail in results if verdict == "failed"]
    for name, detail in failed:
        print(f"FAILED {name}: {detail}")
    return 1 if failed else 0
