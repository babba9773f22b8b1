import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const TABLE = /\| who \| can \| cannot \|\n\|---\|---\|---\|\n((?:\|.*\n)+)/;

/** The rows of the table of who can do what in a document. */
function rowsOf(file: string): string[][] {
  const [, rows] = TABLE.exec(readFileSync(file, "utf8")) ?? [];
  if (rows === undefined) throw new Error(`${file} has no table of who can do what`);
  return rows
    .trim()
    .split("\n")
    .map((row) =>
      row
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

/** For each row the tests that show it: their file and the words their name begins with. */
const SHOWN_BY: Record<string, [file: string, name: string][]> = {
  "anybody who reads the chain": [["e2e/leaks/leaks.spec.ts", "no amount, memo or hash of a body is in the database"]],
  "a thief of the database and every server secret": [
    ["lib/auth/stolen-database.integration.test.ts", "open nothing that is sealed and hold no key that may sign"],
    ["lib/auth/stolen-database.integration.test.ts", "are refused by the ledger whatever stolen key signs"],
  ],
  "whoever can write the database, and no more": [
    [
      "lib/transfers/written-columns.integration.test.ts",
      "a held payment that was approved and paid is never paid again",
    ],
    ["lib/transfers/written-database.integration.test.ts", "of an enrolment under way neither"],
    ["scripts/audit-verify.integration.test.ts", "audit:verify counts what holds"],
  ],
  "a live, compromised server": [
    [
      "scripts/dishonest-service.integration.test.ts",
      "an approval that was paid behind the service's back is not paid again",
    ],
    ["e2e/cli/rotate-budget-secret.spec.ts", "a rotation ends what the old secret could do"],
  ],
  "a thief of your API key": [
    ["e2e/api/key-scopes.spec.ts", "a key of scope"],
    ["lib/auth/api-keys.integration.test.ts", "ends with its revocation, which deletes both wraps"],
  ],
  "a thief of your API key and the database": [
    ["lib/auth/stolen-agent.integration.test.ts", "and the owner's key and wallet and the pepper has everything"],
    ["e2e/cli/rotate-budget-secret.spec.ts", "a rotation ends what the old secret could do"],
  ],
  "a thief of an agent's API key, also with the database": [
    ["lib/auth/stolen-agent.integration.test.ts", "and an agent's API key reads that agent's budget, but cannot sign"],
    ["e2e/api/not-agent-owner.spec.ts", "an agent's key meets a sibling and a stranger's agent as a stranger does"],
  ],
  "a thief of your session cookie": [
    ["e2e/api/session.spec.ts", "a session alone moves no money"],
    ["lib/agents/policy-consent.integration.test.ts", "a session loosens no policy unless the owner's wallet signed"],
  ],
  "a phisher of your unlock signature": [
    ["e2e/cli/recover.spec.ts", "a second wallet opens a backup, reads everything and withdraws the budget"],
  ],
  "whoever holds your viewing key": [
    ["lib/ledger/history.test.ts", "is recovered from events and the viewing key alone"],
    ["contracts/test/Transfer.t.sol", "test_RevertWhen_AStrangerSigns"],
  ],
};

test("README, protocol and guide show one table of who can do what", () => {
  const rows = rowsOf("README.md");
  expect(rowsOf("docs/protocol.md")).toEqual(rows);
  expect(rowsOf("docs/guides/confidentiality.md")).toEqual(rows);
});

test("each row of it is shown by tests that exist", () => {
  expect(Object.keys(SHOWN_BY)).toEqual(rowsOf("README.md").map(([who]) => who));
  for (const tests of Object.values(SHOWN_BY)) {
    expect(tests.length).toBeGreaterThan(0);
    for (const [file, name] of tests) expect(readFileSync(file, "utf8"), file).toContain(name);
  }
});
