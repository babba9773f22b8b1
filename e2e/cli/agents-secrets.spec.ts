import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bytesToHex, hexToBytes } from "viem";
import { generatePrivateKey } from "viem/accounts";
import { partyOf } from "@/sdk/account/party";
import { Halcyon } from "@/sdk/client";
import { localContext } from "@/sdk/local-context";
import { expect, test } from "./fixtures";

/**
 * Returns the ways in which a request could write an amount, given in units of USDG. The amounts are unlikely to occur
 * by accident.
 */
function amountSpellings(units: bigint): string[] {
  const decimal = `${units / 1_000_000n}.${String(units % 1_000_000n).padStart(6, "0")}`;
  const bytes = units.toString(16).padStart(16, "0");
  return [decimal, units.toString(), bytes, Buffer.from(bytes, "hex").toString("base64")];
}

function secretSpellings(secret: Uint8Array): string[] {
  const buffer = Buffer.from(secret);
  return [bytesToHex(secret).slice(2), buffer.toString("base64").replace(/=+$/, ""), buffer.toString("base64url")];
}

const decimal = (units: bigint) => amountSpellings(units)[0] ?? "";
const found = (haystack: string, spellings: string[]) =>
  spellings.some((text) => haystack.toLowerCase().includes(text.toLowerCase()));

const FUNDED = 48_211_730_913n;
const PREPARE = 1_904_882_117n;
const HELD = 7_765_432_191n;
const HOME = 3_507_196_421n;
const MEMO = "canary-approved-9f3a71c4";

test("what an owner's client does for its agents shows the service no amount, memo, agent's wallet key or secret", async ({
  baseURL,
}) => {
  const configDir = await mkdtemp(join(tmpdir(), "halcyon-e2e-"));
  const sent: string[] = [];
  const recording: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    sent.push([request.url, JSON.stringify([...request.headers]), await request.clone().text()].join("\n"));
    return fetch(request);
  };
  try {
    const walletKey = generatePrivateKey();
    const owner = new Halcyon({ url: baseURL, walletKey, configDir, fetch: recording });
    await owner.account.create({ handle: `hidden-${walletKey.slice(2, 12)}` });
    await owner.testHelpers.faucet({ amount: "100000" });
    await owner.balances.makeAvailable();
    const { handle: bot, public_key } = await owner.agents.create({
      name: "bot",
      spendPolicy: {
        daily_limit_usdg: 20_000,
        per_transaction_limit_usdg: 10_000,
        hitl_threshold_usdg: 1_000,
        allowed_recipients: ["*"],
      },
    });
    await owner.transfers.create({ to: bot, amount: decimal(FUNDED), clientSigned: true });
    await owner.transfers.create({ from: bot, to: "@demo", amount: decimal(PREPARE), clientSigned: true });
    const { api_key } = await owner.keys.create({ label: "bot", agent: bot });
    // The agent's own request, which is not recorded, contains the amount. The README states that limit.
    const program = new Halcyon({ url: baseURL, apiKey: api_key, configDir });
    const held = await program.transfers.create({ to: "@demo", amount: decimal(HELD), memo: MEMO });
    const { pending } = await owner.approvals.list();
    expect(pending).toEqual([expect.objectContaining({ amount: decimal(HELD), memo: MEMO })]);
    await owner.approvals.approve("transaction_id" in held ? held.transaction_id : "");
    const home = bot.split("/")[0] ?? "";
    await owner.transfers.create({ from: bot, to: home, amount: decimal(HOME), clientSigned: true });
    const opened = (await owner.transfers.listDecrypted({ agent: bot })).transfers.map(({ amount }) => amount);
    expect(opened).toEqual([HOME, HELD, PREPARE, FUNDED].map(decimal));

    const context = localContext({ url: baseURL, walletKey, configDir });
    const [vault, agent] = [await context.vault(), await partyOf(context, "bot")];
    const haystack = sent.join("\n");
    const needles = {
      ...Object.fromEntries(Object.entries({ FUNDED, PREPARE, HELD, HOME }).map(([k, v]) => [k, amountSpellings(v)])),
      memo: [MEMO, Buffer.from(MEMO).toString("hex"), Buffer.from(MEMO).toString("base64")],
      accountSecret: secretSpellings(vault.secret),
      agentSecret: secretSpellings(agent.secret),
      paymentKey: secretSpellings(hexToBytes(vault.paymentKey.privateKey)),
      apiKey: [api_key],
    };
    for (const [what, spellings] of Object.entries(needles)) expect(found(haystack, spellings), what).toBe(false);
    // Proves that the search works: it finds a value that is meant to be sent, and each needle where it was planted.
    expect(found(haystack, [public_key])).toBe(true);
    for (const spellings of Object.values(needles)) {
      for (const text of spellings) expect(found(`${haystack}"${text}"`, spellings)).toBe(true);
    }
  } finally {
    await rm(configDir, { recursive: true, force: true });
  }
});
