import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const TABLE = /\| who \| can \| cannot \|\n\|---\|---\|---\|\n((?:\|.*\n)+)/;

/** Returns the rows of a document's table of who can do what. */
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

/** For each row, the tests that prove it: their file and the start of their names. */
const SHOWN_BY: Record<string, [file: string, name: string][]> = {
  "anyone who reads the chain": [["e2e/leaks/leaks.spec.ts", "no amount, memo or hash of a body is in the database"]],
  "the chain's operator: who orders its transactions": [
    ["contracts/test/Transfer.t.sol", "test_RevertWhen_TheDeadlineHasPassed"],
    ["e2e/leaks/leaks.spec.ts", "no amount, memo or hash of a body is in the database"],
  ],
  "someone who steals the database and every server secret": [
    [
      "lib/http/auth/stolen-database.integration.test.ts",
      "open nothing that is encrypted and hold no key that may sign",
    ],
    ["lib/http/auth/stolen-database.integration.test.ts", "are refused by the ledger whatever stolen key signs"],
  ],
  "someone who can write to the database, and no more": [
    [
      "lib/payments/written-columns.integration.test.ts",
      "a held payment that was approved and paid is never paid again",
    ],
    ["lib/payments/written-database.integration.test.ts", "of an enrollment under way neither"],
    ["scripts/attack/rows/database-writer.ts", "raise the agent's limits"],
    ["scripts/attack/rows/blind-agent.ts", "do so once someone has deleted its payments from the database"],
    ["scripts/attack/rows/restored-database.ts", "with the vouchers of two payments exchanged in the database"],
    ["scripts/audit-verify.integration.test.ts", "audit:verify counts what holds"],
  ],
  "someone who controls a live server, of a guarded account": [
    ["scripts/attack/rows/guarded-server.ts", "pay 11 over the limit of 10 for each payment"],
    ["scripts/attack/rows/own-limits.ts", "leave the limits"],
    ["contracts/test/Limits.t.sol", "Invariant11"],
    [
      "scripts/dishonest-service.integration.test.ts",
      "an approval that was paid behind the service's back is not paid again",
    ],
    ["e2e/cli/rotate-account-secret.spec.ts", "a rotation ends what the old secret could do"],
  ],
  "the same, without Guard": [
    ["scripts/attack/rows/unguarded-server.ts", "loosen the agent's policy"],
    ["scripts/compromise.integration.test.ts", "a poisoned available balance costs that available balance alone"],
  ],
  "the same, of an account that pays with [blind keys](blind-keys.md) alone": [
    ["scripts/attack/rows/blind-server.ts", "pay with the API key alone"],
    ["scripts/attack/rows/blind-server.ts", "make it late, beside its repetition"],
    ["sdk/proxy/leaks.integration.test.ts", "has no amount, balance, memo, home key or `k`"],
  ],
  "a server that serves malicious scripts to owners who unlock in the browser": [
    ["scripts/attack/rows/bad-javascript.ts", "have the command line sign other limits than it was given"],
  ],
  "someone who steals your API key": [
    ["app/v1/every-operation.integration.test.ts", "a key of scope"],
    ["lib/http/auth/api-keys.integration.test.ts", "ends with its revocation, which deletes both wraps"],
  ],
  "someone who steals a [blind key](blind-keys.md) with its home key": [
    ["scripts/attack/rows/blind-key-thief.ts", "pay once the pair is revoked"],
    ["scripts/attack/rows/blind-key-thief.ts", "keep them from paying after that"],
  ],
  "another user of a machine where [`halcyon proxy`](blind-keys.md) runs, or a web page that is open there": [
    ["scripts/attack/rows/proxy-neighbor.ts", "call it from a page whose name resolves to this machine"],
    ["sdk/proxy/serve-proxy.test.ts", "what one reader takes for a body and another for a second request"],
  ],
  "someone who steals your API key and the database": [
    ["lib/http/auth/stolen-database.integration.test.ts", "open, with a key and a database from before its revocation"],
    ["lib/http/auth/key-pepper.integration.test.ts", "a stolen key and a copy of the database from before"],
  ],
  "the same, with the server's pepper": [
    ["lib/http/auth/stolen-agent.integration.test.ts", "and the owner's key and wallet and the pepper has everything"],
    ["e2e/cli/rotate-account-secret.spec.ts", "a rotation ends what the old secret could do"],
  ],
  "someone who steals an agent's API key, even with the whole server": [
    ["scripts/attack/rows/agent-key-thief.ts", "approve 8 in the owner's place"],
    ["scripts/attack/rows/blind-agent.ts", "pay 6 over the threshold of 5, by a policy of its own"],
    ["lib/http/auth/stolen-agent.integration.test.ts", "and an agent's API key reads nothing and cannot sign"],
    ["app/v1/agents/agents.integration.test.ts", "is not_agent_owner to a stranger"],
  ],
  "an application that you connected to an agent over MCP, or someone who steals its access token": [
    ["lib/http/connections/connections.integration.test.ts", "works at the MCP server of its network alone"],
    [
      "lib/http/connections/connections.integration.test.ts",
      "ends after the time that the wallet signed, and after no other",
    ],
    ["e2e/dashboard/connections.spec.ts", "an application is connected by the wallet, pays within the policy"],
  ],
  "someone who intercepts an authorization code": [
    ["lib/http/connections/connections.integration.test.ts", "that comes a second time ends the token it gave"],
    ["lib/http/connections/connections.integration.test.ts", "is refused, and has leaked: its token ends"],
  ],
  "an application that calls itself by another's name": [
    [
      "lib/http/connections/connections.integration.test.ts",
      "consents to exactly this: a signature over anything else",
    ],
    ["e2e/dashboard/connections.spec.ts", "a link that was tampered with is refused on our page"],
  ],
  "someone who learns an account secret, before or after you rotate it": [
    ["scripts/attack/rows/rotated-secret.ts", "open a past payment with the"],
  ],
  "someone at your browser within 15 minutes of your last input, after a reload": [
    ["e2e/dashboard/unlock.spec.ts", "after a reload amounts are shown without the wallet"],
  ],
  "someone who copies what your browser stores": [
    ["components/vault/reload-copy.test.ts", "what is kept holds no key and no balance in clear"],
    ["components/vault/reload-copy.test.ts", "after 15 minutes without input it is over"],
  ],
  "someone who steals your session cookie": [
    ["e2e/api/session.spec.ts", "a session alone moves no money"],
    ["scripts/attack/rows/restored-database.ts", "say by the owner's session that nothing was paid for it"],
    ["lib/agents/set-policy.integration.test.ts", "a session loosens no policy unless the owner's wallet signed"],
    [
      "lib/http/connections/connections.integration.test.ts",
      "consents to exactly this: a signature over anything else",
    ],
  ],
  "someone who phishes your unlock signature": [
    ["e2e/cli/recover.spec.ts", "a second wallet opens a backup, reads everything and withdraws the available balance"],
  ],
  "anyone who holds your viewing key": [
    ["lib/ledger/history/fold-history.test.ts", "is recovered from every event that moves money"],
    ["e2e/api/view-only.spec.ts", "what spends, approves or changes something is refused without a request"],
    ["contracts/test/Transfer.t.sol", "test_RevertWhen_AStrangerSigns"],
  ],
  "anyone who has the link of your payment request": [
    ["lib/payments/requests/payment-requests.integration.test.ts", "says nothing to a holder of the link of reference"],
    [
      "sdk/payments/requests/payment-requests.integration.test.ts",
      "is found to be too little, too much, or of another",
    ],
  ],
};

const HOME = "docs/guides/security-model.md";

/** Every document of the project: at the root and below docs/, sdk/ and bench/. */
function documents(): string[] {
  const below = (folder: string) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => path.posix.join(folder, file));
  return [...readdirSync("."), ...["docs", "sdk", "bench"].flatMap(below)].filter((file) => file.endsWith(".md"));
}

test("the table of who can do what exists once, and README, protocol and guide link it", () => {
  const withTable = documents().filter((file) => /^\| who \| can \|/m.test(readFileSync(file, "utf8")));
  expect(withTable).toEqual([HOME]);
  for (const file of ["README.md", "docs/protocol.md", "docs/guides/confidentiality.md"]) {
    expect(readFileSync(file, "utf8"), file).toMatch(/\]\([\w./-]*security-model\.md#who-can-do-what\)/);
  }
});

test("each row of it is shown by tests that exist", () => {
  expect(Object.keys(SHOWN_BY)).toEqual(rowsOf(HOME).map(([who]) => who));
  for (const tests of Object.values(SHOWN_BY)) {
    expect(tests.length).toBeGreaterThan(0);
    for (const [file, name] of tests) expect(readFileSync(file, "utf8"), file).toContain(name);
  }
});
