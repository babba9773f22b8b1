import { readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { declarationOf, type RouteHandler } from "@/lib/http/declared-route";

/** GET routes that return a single document, not a list. */
const DOCUMENTS = [
  "accounts/me",
  "accounts/me/balances",
  "accounts/resolve",
  "agents/transactions/count",
  "audit-log/anchor",
  "account-secret",
  "counterparties", // at most two hundred, which the command palette filters itself
  "ledger",
  "ledger/all",
  "search", // at most one entry per exact id or reference
  "limits",
  "network",
  "notifications",
  "sessions/reload-share",
  "shown-funds",
  "siwe/nonce",
  "stream",
  "test_helpers/failing_recipient",
];
/** Paths below `app` that end in an entry, or a part of one. */
const isEntry = (folder: string) => /\[[a-z_]+\]$|\[[a-z_]+\]\/(spend-policy|refunds|usage)$/.test(folder);
/**
 * Lists from which the client takes entries until none is left, such as what must be encrypted under a new secret.
 * `after` is their cursor.
 */
const EMPTIED = /^(account-secret\/|request-tags$)/;

test("every list of the API and of the session API is read in pages that begin after an entry", async () => {
  const paged: string[] = [];
  for (const root of ["app/v1", "app/api"]) {
    const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) => /route\.ts$/.test(file));
    for (const file of files) {
      const folder = path.dirname(file);
      if (DOCUMENTS.includes(folder) || isEntry(folder)) continue;
      const module = (await import(/* @vite-ignore */ path.resolve(root, file))) as Record<string, RouteHandler>;
      const declared = module.GET && declarationOf(module.GET);
      if (!declared) continue;
      const query = declared.query
        ? z.toJSONSchema(declared.query, { io: "input", unrepresentable: "any" })
        : undefined;
      const fields = Object.keys(query?.properties ?? {});
      expect(fields, `${root}/${folder}`).toContain("limit");
      expect(fields, `${root}/${folder}`).toContain(EMPTIED.test(folder) ? "after" : "starting_after");
      paged.push(`${root}/${folder}`);
    }
  }
  expect(paged.length).toBeGreaterThan(20);
});
