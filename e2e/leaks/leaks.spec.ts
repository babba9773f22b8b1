import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import postgres from "postgres";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { EXIT } from "@/sdk/cli/exit-status";
import { expect, test } from "../api/fixtures";
import type { Caller } from "../halcyon";
import { liveAsAgent } from "./agents";
import { liveAsApplication } from "./application";
import { halcyon, ok } from "./commands";
import { liveAsCompany } from "./company";
import { NotifiedOwner } from "./notified";
import { chain, filesBelow, tables } from "./places";
import { amountNeedles, bodyHashNeedles, type Leak, type Needle, Scanner, textNeedles } from "./scan";
import { liveAsSeller } from "./sellers";
import { Webhooks } from "./webhooks";

/*
 * Promises 1 and 5 of docs/protocol.md: amounts of payments, totals, remaining available balances and memos are nowhere
 * in what the service or the chain stores. Deposits and public releases are exceptions that the chain itself shows.
 * Here they are round numbers; the search looks for numbers that don't occur by accident.
 */

const needed = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run this through npm test`);
  return value;
};

const url = needed("HALCYON_URL");
const data = needed("HALCYON_DATA");
const databaseUrl = needed("MIGRATION_DATABASE_URL");
const rpcUrls = [needed("RPC_URL_46630"), needed("RPC_URL_4663")];
/** What the test run's collector received. The file is below `data`. */
const exported = needed("HALCYON_OTLP_FILE");
const metricsPort = Number(needed("HALCYON_METRICS_PORT"));
const metricsUrls = [metricsPort, metricsPort + 1].map((port) => `http://127.0.0.1:${port}/metrics`);

const decimal = (units: bigint): string => `${units / 1_000_000n}.${String(units % 1_000_000n).padStart(6, "0")}`;

/** Amounts in units of USDG, each of a different size and with all six decimals. */
const AMOUNTS = {
  plain: 48_211_730_913n,
  clientSigned: 61_904_882_117n,
  received: 33_507_196_421n,
  madeAvailable: 52_118_640_733n,
  refused: 8_765_432_190_127n,
};
const DEPOSIT = 400_000_000_000n;
const MEMOS = {
  plain: "canary-plain-9f3a71c4",
  clientSigned: "canary-client-signed-55d0e2b8",
  answer: "canary-answer-c1770ad9",
};

const secrets = mkdtempSync(path.join(tmpdir(), "halcyon-leaks-"));
const answersFile = path.join(secrets, "answers.log");
const recording = { RECORD_ANSWERS: answersFile, HALCYON_CONFIG_DIR: path.join(secrets, "config") };
/** What sellers store: logs, records of payments, configuration. */
const sellers = path.join(secrets, "sellers");
const needles: Needle[] = [];
/** Ids of the requests that contained the canaries, from their responses. */
const requestIds: string[] = [];

test.describe.configure({ mode: "serial" });
test.afterAll(() => rmSync(secrets, { recursive: true, force: true }));

function caller(): Caller {
  return { url, walletKey: generatePrivateKey(), env: recording };
}

async function api(
  apiKey: string,
  method: string,
  route: string,
  body?: string,
): Promise<{ status: number; text: string }> {
  const response = await fetch(`${url}${route}`, { method, body, headers: { authorization: `Bearer ${apiKey}` } });
  const text = await response.text();
  requestIds.push(response.headers.get("x-request-id") ?? "");
  appendFileSync(answersFile, `${response.status} ${route}\n${JSON.stringify([...response.headers])}\n${text}\n`);
  return { status: response.status, text };
}

async function searchEverything(scanner: Scanner): Promise<Leak[]> {
  const leaks: Leak[] = [];
  for (const { name, content } of filesBelow(data)) leaks.push(...scanner.scan(name, content));
  for await (const { name, content } of tables(databaseUrl)) leaks.push(...scanner.scan(name, content));
  for (const rpcUrl of rpcUrls) {
    for (const { name, content } of await chain(rpcUrl)) leaks.push(...scanner.scan(name, content));
  }
  for (const metricsUrl of metricsUrls) {
    leaks.push(...scanner.scan(metricsUrl, await (await fetch(metricsUrl)).text()));
  }
  leaks.push(...scanner.scan("answers of the service", readFileSync(answersFile)));
  for (const { name, content } of filesBelow(sellers)) leaks.push(...scanner.scan(`sellers/${name}`, content));
  // What a buyer stores about a payment until it is served.
  const offers = path.join(recording.HALCYON_CONFIG_DIR, "offers");
  if (existsSync(offers)) {
    for (const { name, content } of filesBelow(offers)) leaks.push(...scanner.scan(`offers/${name}`, content));
  }
  return leaks;
}

test("amounts and memos sent through every endpoint and command", async () => {
  test.slow();
  const suffix = Date.now().toString(36);
  const [alice, bob] = [caller(), caller()];
  for (const [one, handle] of [
    [alice, `canary-a-${suffix}`],
    [bob, `canary-b-${suffix}`],
  ] as const) {
    await ok(one, "signup", "--handle", handle);
    await ok(one, "kyc", "verify");
  }
  await ok(alice, "faucet", "--amount", decimal(DEPOSIT));
  await ok(alice, "make-available");
  for (const one of [alice, bob]) {
    one.apiKey = (await ok<{ api_key: string }>(one, "keys", "create", "--label", "canary")).api_key;
  }
  const to = `@canary-b-${suffix}`;
  const webhooks = await Webhooks.open(url, [alice.apiKey as string, bob.apiKey as string]);

  const bodies = [
    JSON.stringify({ to, amount: decimal(AMOUNTS.plain), memo: MEMOS.plain }),
    JSON.stringify({ to, amount: decimal(AMOUNTS.refused), memo: MEMOS.plain }),
    JSON.stringify({ to: "@nobody-of-this-name", amount: decimal(AMOUNTS.plain) }),
    JSON.stringify({ to, amount: `${decimal(AMOUNTS.plain)}7` }),
    JSON.stringify({ to, amount: Number(decimal(AMOUNTS.plain)) }),
    JSON.stringify({ to, amount: decimal(AMOUNTS.plain), memo: MEMOS.plain, note: MEMOS.plain }),
    `{"to": "${to}", "amount": "${decimal(AMOUNTS.plain)}", "memo": "${MEMOS.plain}"`,
  ];
  const apiKey = alice.apiKey as string;
  const statuses: number[] = [];
  for (const body of bodies) statuses.push((await api(apiKey, "POST", "/v1/transfers", body)).status);
  expect(statuses).toEqual([201, 402, 404, 400, 400, 400, 400]);
  const once = await fetch(`${url}/v1/transfers`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}`, "idempotency-key": "canary" },
    body: bodies[0],
  });
  expect(once.status).toBe(201);
  appendFileSync(answersFile, await once.text());

  await ok(
    alice,
    "send",
    "--client-signed",
    "--to",
    to,
    "--amount",
    decimal(AMOUNTS.clientSigned),
    "--memo",
    MEMOS.clientSigned,
  );
  await ok(alice, "send", "--to", to, "--amount", decimal(AMOUNTS.received), "--memo", MEMOS.answer);
  const received = AMOUNTS.plain * 2n + AMOUNTS.clientSigned + AMOUNTS.received;
  const opened = await ok<{ transfers: { amount: string; memo: string }[] }>(bob, "transfers");
  // The recipient decrypts what the search must not find, which proves that the canaries were really processed.
  expect(opened.transfers.map(({ amount }) => amount)).toContain(decimal(AMOUNTS.clientSigned));
  expect(opened.transfers.map(({ memo }) => memo)).toEqual(expect.arrayContaining(Object.values(MEMOS)));

  // The same with the viewing key and a read-only key, whose texts must not be found afterwards either.
  const reader: Caller = { url, env: { ...recording } };
  reader.apiKey = (
    await ok<{ api_key: string }>(bob, "keys", "create", "--label", "reads", "--scope", "read-only")
  ).api_key;
  const keyFile = path.join(secrets, "viewing.key");
  await ok(bob, "viewing-key", "export", "--out", keyFile);
  const read = await ok<typeof opened>(reader, "transfers", "--viewing-key-file", keyFile);
  expect(read.transfers.map(({ amount }) => amount)).toEqual(opened.transfers.map(({ amount }) => amount));
  const viewingKey = readFileSync(keyFile, "utf8").trim();
  expect(viewingKey).toMatch(/^hcvk_test_/);

  await ok(bob, "make-available", "--amount", decimal(AMOUNTS.madeAvailable));
  await ok(bob, "withdraw", "--to", privateKeyToAddress(generatePrivateKey()), "--amount", "1000");
  const { decryption_proof } = await ok<{ decryption_proof: string }>(alice, "proof");
  await ok(alice, "balances");
  for (const route of ["/v1/accounts/me", "/v1/transfers", "/v1/transfers?limit=100&status=confirmed"]) {
    for (const key of [apiKey, bob.apiKey as string]) expect((await api(key, "GET", route)).status).toBe(200);
  }
  // Both sides' events of four payments, and those of the withdrawal.
  appendFileSync(answersFile, await webhooks.delivered(4 * 4 + 2));
  for (const { apiKey: key, route } of webhooks.routes) expect((await api(key, "GET", route)).status).toBe(200);
  // The one response that may contain amounts is checked, and left out of the search.
  const balances = await fetch(`${url}/v1/accounts/me/balances`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}` },
    body: JSON.stringify({ decryption_proof }),
  });
  const total = decimal(DEPOSIT - received);
  expect((await balances.json()).balances).toContainEqual({ asset: "USDG", amount: total.replace(/0+$/, "") });
  const refused = await halcyon(alice, "send", "--to", to, "--amount", decimal(AMOUNTS.refused), "--memo", MEMOS.plain);
  expect(refused.status).toBe(EXIT.refused);

  const amounts = {
    ...AMOUNTS,
    received_in_all: received,
    left_to_alice: DEPOSIT - received,
    change_of_bob: received - AMOUNTS.madeAvailable,
    left_to_bob: AMOUNTS.madeAvailable - 1_000_000_000n,
  };
  for (const [label, units] of Object.entries(amounts)) needles.push(...amountNeedles(label, decimal(units), 6));
  for (const [label, memo] of Object.entries(MEMOS)) needles.push(...textNeedles(`memo ${label}`, memo));
  needles.push(...textNeedles("viewing key", viewingKey), ...textNeedles("read-only API key", reader.apiKey));
  for (const secret of webhooks.secrets) needles.push(...textNeedles("webhook secret", secret));
  bodies.forEach((body, i) => {
    needles.push(...bodyHashNeedles(`body ${i}`, body));
  });
});

test("amounts and memos of an agent: paid, refused, tried, held, approved and dropped, while its owner gets email", async ({
  playwright,
}) => {
  const suffix = Date.now().toString(36);
  const [owner, payee] = [caller(), caller()];
  await ok(owner, "signup", "--handle", `canary-o-${suffix}`);
  await ok(payee, "signup", "--handle", `canary-p-${suffix}`);
  await ok(owner, "faucet", "--amount", decimal(DEPOSIT));
  await ok(owner, "make-available");
  owner.apiKey = (await ok<{ api_key: string }>(owner, "keys", "create", "--label", "canary")).api_key;
  const notified = await NotifiedOwner.open(playwright, owner);
  const { amounts, memos, bodies } = await liveAsAgent(owner, `@canary-p-${suffix}`, api, async () => {
    appendFileSync(answersFile, await notified.inboxWith("A payment awaits your approval"));
  });
  for (const [label, units] of Object.entries(amounts)) {
    needles.push(...amountNeedles(`agent, ${label}`, decimal(units), 6));
  }
  for (const [label, memo] of Object.entries(memos)) needles.push(...textNeedles(`agent's memo ${label}`, memo));
  bodies.forEach((body, i) => {
    needles.push(...bodyHashNeedles(`agent's body ${i}`, body));
  });
});

test("amounts, tokens and codes of an application that is connected over MCP", async () => {
  const suffix = Date.now().toString(36);
  const [owner, payee] = [caller(), caller()];
  await ok(owner, "signup", "--handle", `canary-m-${suffix}`);
  await ok(payee, "signup", "--handle", `canary-n-${suffix}`);
  await ok(owner, "faucet", "--amount", decimal(DEPOSIT));
  await ok(owner, "make-available");
  const limits = [
    "--daily-limit",
    "9000",
    "--per-transaction-limit",
    "9000",
    "--threshold",
    "9000",
    "--recipients",
    "*",
  ];
  await ok(owner, "agents", "create", "bot", ...limits);
  const agent = `@canary-m-${suffix}/bot`;
  await ok(owner, "send", "--client-signed", "--to", agent, "--amount", "5000");
  const options = { url, walletKey: owner.walletKey, configDir: recording.HALCYON_CONFIG_DIR };
  const heard = (text: string) => appendFileSync(answersFile, text);
  const life = await liveAsApplication(options, agent, `@canary-n-${suffix}`, heard);
  expect(life.failed).toBe(false);
  expect(life.replayed).toContain("invalid_grant");
  for (const [label, units] of Object.entries(life.amounts)) {
    needles.push(...amountNeedles(`application, ${label}`, decimal(units), 6));
  }
  const { memo, token, code, verifier } = life;
  for (const [label, text] of Object.entries({ memo, token, code, verifier })) {
    needles.push(...textNeedles(`application's ${label}`, text));
  }
});

test("amounts, texts and links of payouts, payment requests, schedules, refunds, statements and views", async () => {
  test.slow();
  const suffix = Date.now().toString(36);
  const [company, supplier] = [caller(), caller()];
  await ok(company, "signup", "--handle", `canary-c-${suffix}`);
  await ok(supplier, "signup", "--handle", `canary-s-${suffix}`);
  await ok(company, "faucet", "--amount", decimal(DEPOSIT));
  await ok(company, "make-available");
  company.apiKey = (await ok<{ api_key: string }>(company, "keys", "create", "--label", "canary")).api_key;
  const place = { to: `@canary-s-${suffix}`, api, folder: secrets };
  const { amounts, texts, bodies } = await liveAsCompany(company, supplier, place);
  for (const [label, units] of Object.entries(amounts)) {
    needles.push(...amountNeedles(`company, ${label}`, decimal(units), 6));
  }
  for (const [label, text] of Object.entries(texts)) needles.push(...textNeedles(`company's ${label}`, text));
  bodies.forEach((body, i) => {
    needles.push(...bodyHashNeedles(`company's body ${i}`, body));
  });
});

test("prices of sellers over HTTP 402, with a facilitator of their own and without", async () => {
  const suffix = Date.now().toString(36);
  const [owner, seller] = [caller(), caller()];
  await ok(owner, "signup", "--handle", `canary-b-${suffix}-402`);
  await ok(seller, "signup", "--handle", `canary-s-${suffix}-402`);
  await ok(owner, "faucet", "--amount", decimal(DEPOSIT));
  await ok(owner, "make-available");
  owner.apiKey = (await ok<{ api_key: string }>(owner, "keys", "create", "--label", "canary")).api_key;
  mkdirSync(sellers);
  const place = { folder: sellers, keep: (text: string) => appendFileSync(answersFile, `${text}\n`) };
  const amounts = await liveAsSeller(owner, seller, place);
  for (const [label, units] of Object.entries(amounts))
    needles.push(...amountNeedles(`402, ${label}`, decimal(units), 6));
  expect(readFileSync(path.join(sellers, "facilitator.log"), "utf8")).toContain("/settle 200");
});

test("the payments above were traced and counted: what is searched next is not empty", async () => {
  expect(requestIds.length).toBeGreaterThan(7);
  // What only commands ask for.
  expect(readFileSync(answersFile, "utf8")).toMatch(/^200 http\S+\/api\/ledger/m);
  await expect.poll(() => requestIds.filter((id) => !readFileSync(exported, "utf8").includes(id))).toEqual([]);
  for (const span of ["prove", "verify", "sign", "broadcast", "settle"]) {
    expect(readFileSync(exported, "utf8")).toContain(`"name":"${span}"`);
  }
  const [web, worker] = await Promise.all(metricsUrls.map(async (one) => (await fetch(one)).text()));
  expect(web).toContain('halcyon_payments_total{outcome="refused",code="insufficient_balance"}');
  expect(worker).toContain('halcyon_payments_total{outcome="confirmed"}');
});

test("each line of the logs is our logger's JSON: what libraries print would quote what was sent", async () => {
  const strange = [
    ["/api/auth/callback/siwe", "application/json", `amt=${decimal(AMOUNTS.plain)}`],
    ["/api/auth/_log", "application/json", JSON.stringify({ code: MEMOS.plain, level: "error" })],
    [`/api/auth/csrf?callbackUrl=http://${MEMOS.plain}:x`, "application/x-www-form-urlencoded", ""],
    ["/", "text/plain", MEMOS.plain],
    ["/docs", "multipart/form-data; boundary=x", `--x\r\n${MEMOS.plain}`],
  ] as const;
  for (const [route, type, body] of strange) {
    const headers = { "content-type": type, "next-action": "7f0000000000000000000000000000000000000000" };
    expect((await fetch(url + route, { method: "POST", headers, body })).status).toBeLessThan(500);
  }
  for (const name of ["web.log", "worker.log"]) {
    const lines = readFileSync(path.join(data, "logs", name), "utf8")
      .split("\n")
      // The last line may be only half written.
      .slice(0, -1)
      .filter(Boolean);
    expect(lines.filter((line) => !/^\{.*\}$/.test(line))).toEqual([]);
  }
});

test("the search finds every form of what it looks for", () => {
  expect(needles.length).toBeGreaterThan(100);
  const scanner = new Scanner(needles);
  for (const needle of needles) {
    const hay = Buffer.concat([Buffer.from("before "), needle.bytes, Buffer.from(" after")]);
    expect(scanner.scan("here", hay)).toContainEqual({ needle: needle.name, place: "here", offset: 7 });
  }
});

test("no amount, memo or hash of a body is in the database, a file, a log, a response, a trace, a metric, or on a chain", async () => {
  // Planted once in each kind of place: the search finds these, so it reached every place, and nothing else.
  const planted = { file: "canary-planted-3d06f1", row: "canary-planted-88c2be", answer: "canary-planted-e41a97" };
  const own = Object.entries(planted).flatMap(([place, text]) => textNeedles(`planted ${place}`, text));
  const file = path.join(data, "planted.bin");
  const sql = postgres(databaseUrl, { max: 1 });
  try {
    writeFileSync(file, `a log line that says ${planted.file}`);
    appendFileSync(answersFile, planted.answer);
    await sql`create table leak_test_planted as select ${planted.row}::text as units`;
    const found = await searchEverything(new Scanner([...needles, ...own]));
    const table = "table public.leak_test_planted";
    const places = new Set(found.map(({ needle, place }) => `${needle}: ${place}`));
    expect(places).toContain("planted file: planted.bin");
    expect(places).toContain(`planted row: ${table}`);
    expect(places).toContain("planted answer: answers of the service");
    expect(found.filter(({ needle }) => !own.some(({ name }) => name === needle))).toEqual([]);
  } finally {
    await sql`drop table if exists leak_test_planted`;
    await sql.end();
    if (existsSync(file)) rmSync(file);
  }
});
