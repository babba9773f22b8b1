import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { declarationOf, type RouteHandler } from "@/lib/http/declared-route";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** Returns the TypeScript files below a folder, without tests. */
function sources(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => path.join(folder, file));
  return files.filter((file) => /\.tsx?$/.test(file) && !/\.(test|spec|fixture)\.tsx?$/.test(file));
}

/**
 * Returns the service's files whose text matches. `sdk/` and `components/` run on the owner's device and are left out.
 */
function filesWith(pattern: RegExp): string[] {
  const files = ["app", "db", "lib"].flatMap(sources);
  return files.filter((file) => pattern.test(readFileSync(file, "utf8"))).sort();
}

test("invariant 27: only payments, payouts, schedules, payment requests, approvals, registrations and what changes a policy may open an account secret, and only the balances and what an agent remembers of sellers a flag key", async () => {
  const files = sources("app").filter((file) => path.basename(file) === "route.ts");
  const opens = new Map<string, unknown>();
  for (const file of files) {
    const exported = (await import(/* @vite-ignore */ path.resolve(file))) as Record<string, RouteHandler>;
    const methods = Object.keys(exported).filter((name) => METHODS.includes(name));
    expect(methods, file).not.toEqual([]);
    for (const method of methods) {
      const declared = declarationOf(exported[method] as RouteHandler);
      if (declared?.opens) opens.set(`${method} ${path.dirname(file)}`, declared.opens);
    }
  }
  expect(files.length).toBeGreaterThan(20);
  expect(Object.fromEntries(opens)).toEqual({
    "POST app/v1/transfers": "secret",
    "POST app/v1/transfers/batch": "secret",
    "POST app/v1/agents/transactions/[transaction_id]/approve": "secret",
    "POST app/v1/accounts/me/agents": "secret",
    "PATCH app/v1/agents/[account_id]/spend-policy": "secret",
    "POST app/v1/agents/[account_id]/pause": "secret",
    "POST app/v1/agents/[account_id]/resume": "secret",
    "POST app/v1/payouts": "secret",
    "POST app/v1/payouts/[payout_id]/resume": "secret",
    "POST app/v1/payment-requests": "secret",
    "POST app/v1/schedules": "secret",
    "PATCH app/v1/schedules/[schedule_id]": "secret",
    "POST app/v1/schedules/[schedule_id]/skip": "secret",
    "POST app/v1/schedules/[schedule_id]/runs": "secret",
    "POST app/v1/schedules/[schedule_id]/runs/[run_id]/pay": "secret",
    "GET app/v1/accounts/me/balances": "flag",
    "POST app/v1/accounts/me/balances": "flag",
  });
});

test("nothing bypasses the grant: one file opens wraps, one hands it on, few call it", () => {
  const openers = filesWith(/\bimport \{[^}]*\bunwrap(Secret|FlagKey)\b[^}]*\} from/);
  expect(openers).toEqual(["lib/http/auth/unwrap.ts"]);
  expect(filesWith(/\bdecrypt(Flag)?Wrap\b/)).toEqual(["lib/http/auth/authenticate-key.ts", "lib/http/auth/unwrap.ts"]);
  expect(filesWith(/\bauthenticateKey\(/)).toEqual([
    "lib/http/auth/authenticate-key.ts",
    "lib/http/authenticate-caller.ts",
    "lib/http/mcp/serve-mcp.ts",
  ]);
  expect(filesWith(/\.withGrant\(/)).toEqual(["lib/http/authenticate-caller.ts"]);
  expect(filesWith(/\.unwrap\b/)).toEqual([
    "lib/agents/create-agent.ts",
    "lib/agents/sign-policy.ts",
    "lib/payments/after-restore/read-tags.ts",
    "lib/payments/approvals/decrypt-payment.ts",
    "lib/payments/pay-batches-locked.ts",
    "lib/payments/payment-secrets.ts",
    "lib/payments/payouts/accept-payout.ts",
    "lib/payments/payouts/work-on-payout.ts",
    "lib/payments/requests/create-payment-request.ts",
    "lib/payments/schedules/change-schedule.ts",
    "lib/payments/schedules/create-schedule.ts",
    "lib/payments/schedules/pay-run.ts",
    "lib/payments/schedules/plan-schedule.ts",
  ]);
  expect(filesWith(/\.unwrapFlagKey\b/)).toEqual([
    "lib/balances/proven/read-balances.ts",
    "lib/http/connections/open-offers.ts",
  ]);
});
