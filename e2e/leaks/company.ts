import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "@playwright/test";
import type { Caller } from "../halcyon";
import { ok } from "./commands";

/** Amounts in units of USDG, each of a different size and with all six decimals. */
const AMOUNTS = {
  payout_row: 5_127_903_641n,
  payout_other: 6_338_271_509n,
  payout_checked: 9_402_117_853n,
  payout_refused: 7_218_553_904_771n,
  requested: 8_119_402_367n,
  line: 4_871_330_219n,
  run: 5_604_918_733n,
  later_run: 6_902_337_141n,
  refunded: 4_417_205_983n,
};
const TEXTS = {
  payout: "canary-payout-5be1c07d",
  request: "canary-request-8840fa13",
  line: "canary-line-20c7de95",
  run: "canary-run-f3d619b0",
  later_run: "canary-later-17ab4c6e",
  refund: "canary-refund-c95e02a8",
};
const decimal = (units: bigint): string => `${units / 1_000_000n}.${String(units % 1_000_000n).padStart(6, "0")}`;
const textOf = (name: keyof typeof AMOUNTS) => decimal(AMOUNTS[name]);

/** What must not be found anywhere: amounts in units, texts, and the request bodies that contained them. */
export interface CompanyCanaries {
  amounts: Record<string, bigint>;
  texts: Record<string, string>;
  bodies: string[];
}

type Api = (apiKey: string, method: string, route: string, body?: string) => Promise<{ status: number; text: string }>;

/** Returns a minute in UTC that begins in 15 to 75 seconds, so it has not passed when the schedule is stored. */
function soon(): { date: string; time: string } {
  const at = new Date(Date.now() + 75_000).toISOString();
  return { date: at.slice(0, 10), time: at.slice(11, 16) };
}

/**
 * Runs what a company does around payments: a payout, a request and an invoice, a schedule, a refund, statements and a
 * view, with a key and through the owner's client. Everything is listed.
 */
export async function liveAsCompany(
  company: Caller,
  supplier: Caller,
  { to, api, folder }: { to: string; api: Api; folder: string },
): Promise<CompanyCanaries> {
  const key = company.apiKey ?? "";
  const bodies: string[] = [];
  const send = (route: string, body: object) => {
    const text = JSON.stringify(body);
    bodies.push(text);
    return api(key, "POST", route, text);
  };

  // The service encrypts this schedule during the request; the client encrypts the other one.
  const at = soon();
  const rule = { frequency: "once", start: at.date, time: at.time };
  const payments = [{ to, amount: textOf("run"), memo: TEXTS.run }];
  expect((await send("/v1/schedules", { rule, payments, name: TEXTS.run })).status).toBe(201);
  const monthly = ["schedules", "create", "--every", "monthly", "--start", "2099-01-31", "--to", to];
  await ok(company, ...monthly, "--amount", textOf("later_run"), "--memo", TEXTS.later_run);

  const file = path.join(folder, "payout.csv");
  writeFileSync(
    file,
    `to,amount,memo\n${to},${textOf("payout_row")},${TEXTS.payout}\n${to},${textOf("payout_other")},${TEXTS.payout}\n`,
  );
  expect(await ok(company, "payout", file, "--yes", "--idempotency-key", "canary")).toMatchObject({ rows_paid: 2 });
  const row = (name: keyof typeof AMOUNTS) => ({ to, amount: textOf(name), memo: TEXTS.payout });
  expect((await send("/v1/payouts?dry_run=true", { rows: [row("payout_checked")] })).status).toBe(200);
  expect((await send("/v1/payouts", { rows: [row("payout_refused")] })).status).toBe(402);
  const faulty = [row("payout_checked"), { ...row("payout_checked"), to: "@nobody-of-this-name" }];
  expect((await send("/v1/payouts", { rows: faulty })).status).toBe(400);

  const asked = ["--amount", textOf("requested"), "--note", TEXTS.request];
  const { link } = await ok<{ link: string }>(supplier, "request", "create", ...asked);
  const invoice = ["request", "create", "--line", `${textOf("line")}:${TEXTS.line}`, "--seller", TEXTS.line];
  const { link: invoiceLink } = await ok<{ link: string }>(supplier, ...invoice);
  for (const one of [link, invoiceLink]) await ok(company, "request", "pay", one, "--yes");
  // The supplier decrypts what the search must not find, which proves that the canaries were really processed.
  const checked = await ok<{ paid: string; status: string }[]>(supplier, "request", "check");
  expect(checked.map(({ paid, status }) => [paid, status]).sort()).toEqual(
    [textOf("requested"), textOf("line")].map((paid) => [paid, "paid"]).sort(),
  );

  await ok(supplier, "make-available");
  const { transfers } = await ok<{ transfers: { transfer_id: string; amount: string }[] }>(supplier, "transfers");
  const paid = transfers.find(({ amount }) => amount === textOf("payout_row"))?.transfer_id ?? "";
  await ok(supplier, "refund", paid, "--amount", textOf("refunded"), "--memo", TEXTS.refund);
  await ok(company, "transfers", "--kind", "refund");

  const [from, until] = ["2020-01-01", "2099-12-31"];
  for (const format of ["csv", "ofx", "json"]) {
    await ok(company, "statement", "--from", from, "--to", until, "--format", format);
  }
  const period = ["--from", from, "--to", until];
  const { url } = await ok<{ url: string }>(company, "views", "create", ...period, "--label", "canary", "--memos");
  const view = await ok<{ refused: number }>(company, "views", "verify", url);
  expect(view.refused).toBe(0);

  const paidRuns = async () => (await ok<{ runs: unknown[] }>(company, "schedules", "run", "--once")).runs.length;
  await expect.poll(paidRuns, { timeout: 120_000 }).toBe(1);
  const lists = ["payouts", "payment-requests", "schedules?include=encrypted", "transfers", "events", "audit-log"];
  for (const list of lists) expect((await api(key, "GET", `/v1/${list}`)).status).toBe(200);

  const secrets = [link, invoiceLink, url].map((one) => one.split("#")[1] ?? "");
  for (const secret of secrets) expect(secret.length).toBeGreaterThan(20);
  const [requestKey = "", invoiceKey = "", viewKey = ""] = secrets;
  return {
    amounts: { ...AMOUNTS, payout_total: AMOUNTS.payout_row + AMOUNTS.payout_other },
    texts: { ...TEXTS, requestKey, invoiceKey, viewKey },
    bodies,
  };
}
