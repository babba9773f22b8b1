/*
 * Lists what the tests guarantee, from their names: one line for each, with its file. Since a commit: what moved to
 * another file, what is gone and what is new.
 *   npm run guarantees
 *   npm run guarantees -- --since e52ab47f
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { compareGuarantees, type Guarantee, guaranteesOf, TEST_FILE } from "./test/guarantees";

const git = (...args: string[]) => execFileSync("git", args, { encoding: "utf8", maxBuffer: 1 << 28 });
const filesIn = (listing: string) => listing.split("\n").filter((file) => TEST_FILE.test(file));

const { values } = parseArgs({ options: { since: { type: "string" } } });
const now = filesIn(git("ls-files")).flatMap((file) => guaranteesOf(file, readFileSync(file, "utf8")));
if (values.since === undefined) {
  for (const { file, name } of now) console.log(`${file}: ${name}`);
  console.log(`${now.length} guarantees in ${new Set(now.map(({ file }) => file)).size} files`);
} else {
  const commit = values.since;
  const before: Guarantee[] = filesIn(git("ls-tree", "-r", "--name-only", commit)).flatMap((file) =>
    guaranteesOf(file, git("show", `${commit}:${file}`)),
  );
  const { gone, moved, added } = compareGuarantees(before, now);
  for (const { name, from, to } of moved) console.log(`moved: ${from} to ${to}: ${name}`);
  for (const { file, name } of gone) console.log(`gone: ${file}: ${name}`);
  for (const { file, name } of added) console.log(`new: ${file}: ${name}`);
  console.log(
    `${before.length} before, ${now.length} now: ${moved.length} moved, ${gone.length} gone, ${added.length} new`,
  );
}
