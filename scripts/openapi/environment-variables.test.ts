import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CONFIGURATION, configurationDocument, DECLARED, describeVariables, listedIn } from "./environment-variables";

const committed = readFileSync(CONFIGURATION, "utf8");

test("docs/configuration.md says of each variable what its declaration says", () => {
  // Run: npm run openapi
  expect(committed).toBe(configurationDocument());
});

test("docs/configuration.md lists every variable that the service reads, once, and none that it does not", () => {
  const declared = Object.keys(DECLARED);
  expect(declared.length).toBeGreaterThan(70);
  // Set by the commands and by Node.
  const internal = ["NODE_ENV"];
  // Read by `npm start`, migrations, backups and the anchoring of the audit log themselves.
  const others = [
    ...["HALCYON_DATA", "HALCYON_PG_PORT", "HALCYON_RPC_PORT_46630", "HALCYON_RPC_PORT_4663", "HALCYON_WAL_ARCHIVE"],
    ...["MIGRATION_DATABASE_URL", "BACKUP_DATABASE_URL", "ANCHOR_KMS_KEY"],
  ];
  const expected = [...declared.filter((name) => !internal.includes(name)), ...others];
  expect(listedIn(committed).flat().toSorted()).toEqual(expected.toSorted());
});

test("where the approval window is named elsewhere, its default is the same, and a challenge lasts as long", () => {
  const seconds = DECLARED.APPROVAL_WINDOW_SECONDS?.parse(undefined) as number;
  const guide = readFileSync("docs/guides/approvals.md", "utf8");
  expect(guide).toContain(`within the approval window, ${seconds / 3_600} hours by default`);
  const [, lasts = ""] = /VALID_FOR = ([\d_]+)/.exec(readFileSync("sdk/x402/selling-scheme.ts", "utf8")) ?? [];
  expect(Number(lasts.replaceAll("_", ""))).toBeGreaterThanOrEqual(seconds);
});

test("a row gets the default and the words of its declarations, and one of a secret keeps who reads it", () => {
  const table = (head: string, row: string) => `\n| variable | ${head} |\n|---|---|---|\n${row}\n`;
  const limits = "`RATE_LIMIT_PER_SECOND`, `RATE_LIMIT_BURST`";
  expect(describeVariables(table("default | what it sets", `| ${limits} | x | y |`))).toContain(
    `| ${limits} | 100, 200 | requests of one API key or session, per second and at once |`,
  );
  expect(describeVariables(table("what it protects | used by", "| `NEXTAUTH_SECRET` | x | web |"))).toContain(
    "| `NEXTAUTH_SECRET` | session cookies | web |",
  );
  const unknown = table("default | what it sets", "| `HALCYON_DATA` | a | b |");
  expect(describeVariables(unknown)).toBe(unknown);
  expect(() => describeVariables(table("default | what it sets", "| `NODE_ENV` | a | b |"))).toThrow("`NODE_ENV`");
});
