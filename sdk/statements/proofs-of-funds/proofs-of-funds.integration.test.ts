import { afterAll, beforeAll, expect, test } from "vitest";
import { env } from "@/lib/base/env";
import { decodeProofOfFunds, encodeProofOfFunds, type ProofOfFunds } from "@/lib/ledger/funds/proof-of-funds";
import { Owner, settled } from "@/test/accounts/owner";
import { clientOf, type Meddle, MemoryPins } from "@/test/services/in-process-service";
import { startWorkingServices, type WorkingServices } from "@/test/services/working-services";
import type { HalcyonError } from "../../api/errors";
import type { Context } from "../../context/context";
import { send } from "../../payments/send";
import { checkProofOfFunds } from "./check-proof-of-funds";
import { type CreateProofOfFundsInput, createProofOfFunds } from "./create-proof-of-funds";
import { previewProofOfFunds } from "./preview-proof-of-funds";
import { verifyProofOfFunds } from "./verify-proof-of-funds";

/** The whole balance, in units and as displayed. Only the owner's own machine may see it. */
const [UNITS, SHOWN] = [123_456_789n, "123.456789"];
const CHAIN = 46630;
const CHALLENGE = "00112233445566778899aabbccddeeff";

let services: WorkingServices;
let owner: Owner;
beforeAll(async () => {
  services = await startWorkingServices();
  owner = await Owner.funded(CHAIN, UNITS);
});
afterAll(() => services?.stop());

const device = (meddle?: Meddle, pins = new MemoryPins()) =>
  clientOf(owner.walletKey, env().chains.test.rpcUrl, { meddle, pins });
const make = (context: Context, input: Partial<CreateProofOfFundsInput> & { for: string }) =>
  createProofOfFunds(context, { atLeast: "100", ...input });
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable("it was made"),
    (error: HalcyonError) => error,
  ) as Promise<HalcyonError>;

/** Checks a proof, possibly altered, with the verifier's view of `network` and `now`. */
async function checked(context: Context, funds: ProofOfFunds, network: object = {}, now = Date.now()) {
  const [info, chain, verify] = await Promise.all([context.info(), context.chain(), context.verifier()]);
  return checkProofOfFunds(funds, { ...info, ...network }, chain, verify, {}, now);
}

test("a proof shows the minimum to its verifier, on any machine, and the balance to no one on its way", async () => {
  const seen: string[] = [];
  const context = await device(async (request, honest) => {
    seen.push(request.url, await request.clone().text());
    const response = await honest();
    seen.push(await response.clone().text());
    return response;
  });
  const input = { for: "North Bank", purpose: "Lease", challenge: CHALLENGE };
  const { proof_of_funds, url } = await make(context, input);
  expect(url).toBe(`${context.http.baseUrl}/proof-of-funds#${proof_of_funds}`);
  const verifier = await device();
  expect(await verifyProofOfFunds(verifier, url, { for: "North Bank", challenge: CHALLENGE })).toMatchObject({
    account: owner.address,
    at_least: "100",
    asset: "USDG",
    verifier: "North Bank",
    purpose: "Lease",
    challenge: CHALLENGE,
    still: true,
  });
  for (const text of [...seen, url, JSON.stringify(decodeProofOfFunds(url), (_, v) => String(v))]) {
    expect([text.includes(String(UNITS)), text.includes(SHOWN)]).toEqual([false, false]);
  }
});

test("passed on, altered, expired, or of another chain or ledger, it is refused", async () => {
  const context = await device();
  const { proof_of_funds: text } = await make(context, { for: "East Bank", challenge: CHALLENGE });
  const funds = decodeProofOfFunds(text);
  const refused = { code: "invalid_request" };
  await expect(verifyProofOfFunds(context, text, { for: "West Bank" })).rejects.toMatchObject({
    ...refused,
    message: expect.stringContaining("East Bank"),
  });
  await expect(verifyProofOfFunds(context, text, { challenge: "ff".repeat(16) })).rejects.toMatchObject(refused);
  const alterations: Partial<ProofOfFunds>[] = [
    { verifier: "West Bank" },
    { purpose: "Loan" },
    { challenge: `0x${"ff".repeat(16)}` },
    { minimum: funds.minimum + 1n },
    { minimum: funds.minimum * 2n, deposited: funds.minimum },
    { block: funds.block - 1n },
    { expires: funds.expires + 1n },
    { account: `0x${"01".repeat(20)}` },
    { notes: [5n] },
    { available: 5n },
    { proof: `0x${"00".repeat(256)}` },
  ];
  for (const change of alterations) {
    const altered = decodeProofOfFunds(encodeProofOfFunds({ ...funds, ...change }));
    const error = await failureOf(checked(context, altered));
    expect([Object.keys(change), error.code, error.message]).toEqual([
      Object.keys(change),
      "invalid_request",
      "This proof does not hold. Something in it was changed.",
    ]);
  }
  const late = Number(funds.expires) * 1000;
  await expect(checked(context, funds, {}, late)).rejects.toMatchObject({
    ...refused,
    message: expect.stringContaining("expired"),
  });
  await expect(checked(context, funds, {}, late - 1)).resolves.toMatchObject({ still: true });
  for (const network of [{ chainId: 4663, network: "live" }, { ledger: `0x${"02".repeat(20)}` }, { assets: [] }]) {
    await expect(checked(context, funds, network)).rejects.toMatchObject(refused);
  }
});

test("a minimum that is not 1, 2 or 5 times a power of ten, and texts no proof may have, are refused", async () => {
  const context = await device();
  for (const [param, input] of [
    ["atLeast", { atLeast: "101", for: "Bank" }],
    ["atLeast", { atLeast: "30", for: "Bank" }],
    ["for", { for: " " }],
    ["for", { for: "Bank\u202e" }],
    ["purpose", { for: "Bank", purpose: "a\nb" }],
    ["challenge", { for: "Bank", challenge: "12" }],
    ["expires", { for: "Bank", expires: new Date(Date.now() - 1000) }],
    ["expires", { for: "Bank", expires: new Date(Date.now() + 91 * 86_400_000) }],
  ] as const) {
    await expect(make(context, input), param).rejects.toMatchObject({ code: "invalid_request", param });
  }
});

test("a verifier that asks for more needs the owner's word, on every device of the account", async () => {
  const asks = (atLeast: string, again?: boolean) => ({ for: "Step Bank", atLeast, again });
  await make(await device(), asks("20"));
  const other = await device();
  await expect(make(other, asks("50"))).rejects.toMatchObject({ code: "invalid_request", param: "again" });
  expect(await previewProofOfFunds(other, { ...asks("50"), for: "step  bank" })).toMatchObject({ needs_again: true });
  expect(await previewProofOfFunds(other, asks("10"))).toMatchObject({ needs_again: false });
  await make(other, asks("50", true));
  const { shown, needs_again } = await previewProofOfFunds(other, asks("50"));
  expect(needs_again).toBe(false);
  expect(shown.find(({ verifier }) => verifier === "Step Bank")).toMatchObject({ at_least: "50", asset: "USDG" });
});

test("too little reads like any other failure, and after it every minimum needs the owner's word", async () => {
  const poor = await failureOf(make(await device(), { for: "Poor Bank", atLeast: "200" }));
  const broken = await device(async (request, honest) =>
    request.url.includes("/api/ledger")
      ? Response.json({ error: { code: "internal", message: "x" } }, { status: 500 })
      : honest(),
  );
  const failed = await failureOf(make(broken, { for: "Broken Bank", atLeast: "10" }));
  const facts = ({ name, code, message, cause, param, status }: HalcyonError) => ({
    name,
    code,
    message,
    cause,
    param,
    status,
  });
  expect(facts(poor)).toEqual(facts(failed));
  expect(poor.code).toBe("unavailable");
  expect(`${poor.stack} ${JSON.stringify(poor)}`).not.toMatch(/123.?456.?789/);
  await expect(make(await device(), { for: "Poor Bank", atLeast: "1" })).rejects.toMatchObject({ param: "again" });
});

test("without the service there is no proof, and none that is not remembered", async () => {
  const silent = await device(async (request, honest) => {
    if (request.method === "POST" && request.url.includes("/api/shown-funds")) throw new TypeError("fetch failed");
    return honest();
  });
  await expect(make(silent, { for: "Silent Bank" })).rejects.toMatchObject({ code: "unavailable" });
  const away = await device(async (request, honest) => {
    if (request.url.includes("/api/shown-funds")) throw new TypeError("fetch failed");
    return honest();
  });
  await expect(make(away, { for: "Silent Bank" })).rejects.toMatchObject({ code: "unavailable" });
  const { shown } = await previewProofOfFunds(await device(), { for: "Silent Bank", atLeast: "1" });
  expect(shown.map(({ verifier }) => verifier)).not.toContain("Silent Bank");
});

test("of two devices at once neither undoes the other's entry", async () => {
  const devices = await Promise.all([device(), device()]);
  await Promise.all(devices.map((each, at) => make(each, { for: `Device Bank ${at}`, atLeast: "10" })));
  const { shown } = await previewProofOfFunds(await device(), { for: "x", atLeast: "1" });
  const names = shown.map(({ verifier }) => verifier);
  expect(names).toEqual(expect.arrayContaining(["Device Bank 0", "Device Bank 1"]));
});

test("a service that withholds, ages or damages the record has the owner asked for every proof", async () => {
  const pins = new MemoryPins();
  let old: Response | undefined;
  const keep = await device(async (request, honest) => {
    const response = await honest();
    if (request.method === "GET" && request.url.includes("/api/shown-funds")) old ??= response.clone();
    return response;
  }, pins);
  await make(keep, { for: "Age Bank", atLeast: "10" });
  const lies = [
    () => old?.clone() as Response,
    () => Response.json({ version: 0, encrypted: null }),
    () => Response.json({ version: 10_000, encrypted: `0x${"00".repeat(16_426)}` }),
  ];
  for (const lie of lies) {
    const lied = await device(
      async (request, honest) =>
        request.method === "GET" && request.url.includes("/api/shown-funds") ? lie() : honest(),
      pins,
    );
    await expect(make(lied, { for: "Age Bank", atLeast: "10" })).rejects.toMatchObject({ param: "again" });
  }
  const honest = await device(undefined, pins);
  expect(await previewProofOfFunds(honest, { for: "Age Bank", atLeast: "10" })).toMatchObject({ needs_again: false });
});

test("once money has moved, a proof says what was so at its block", async () => {
  const context = await device();
  const { proof_of_funds } = await make(context, { for: "Past Bank" });
  const payee = await Owner.create(CHAIN);
  await settled(await payee.enroll());
  await send(context, { to: `@${payee.account.handle}`, amount: "100", clientSigned: true });
  const { block } = decodeProofOfFunds(proof_of_funds);
  const verified = await verifyProofOfFunds(context, proof_of_funds, {});
  expect(verified).toMatchObject({ still: false, block: block.toString() });
  expect(BigInt(verified.checked_block)).toBeGreaterThan(block);
});
