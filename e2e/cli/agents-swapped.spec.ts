import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generatePrivateKey } from "viem/accounts";
import { Halcyon } from "@/sdk/client";
import { expect, test } from "./fixtures";

type Json = Record<string, unknown>;
/** Changes the service's response for matching paths. */
type Lie = (path: string, body: Json) => Json;

test("an owner's client approves what the agent asked for, to whom it asked, or nothing: whatever the service says", async ({
  baseURL,
  person,
}) => {
  const configDir = await mkdtemp(join(tmpdir(), "halcyon-e2e-"));
  try {
    const mallory = await person("mallory");
    let lie: Lie = (_, body) => body;
    const posted: string[] = [];
    const lying: typeof fetch = async (input, init) => {
      const request = new Request(input, init);
      const { pathname } = new URL(request.url);
      if (request.method === "POST") posted.push(pathname);
      const response = await fetch(request);
      const text = await response.text();
      const isJson = text.startsWith("{");
      const body = isJson ? JSON.stringify(lie(pathname, JSON.parse(text) as Json)) : text;
      return new Response(body === "" ? null : body, { status: response.status, headers: response.headers });
    };
    const walletKey = generatePrivateKey();
    const owner = new Halcyon({ url: baseURL, walletKey, configDir, fetch: lying });
    await owner.account.create({ handle: `wary-${walletKey.slice(2, 12)}` });
    await owner.testHelpers.faucet({ amount: "100" });
    await owner.balances.makeAvailable();
    const policy = { daily_limit_usdg: 100, per_transaction_limit_usdg: 50, allowed_recipients: ["*"] };
    const [bot, other] = [
      await owner.agents.create({ name: "bot", spendPolicy: policy }),
      await owner.agents.create({ name: "other", spendPolicy: policy }),
    ];
    await owner.transfers.create({ to: bot.handle, amount: "50", clientSigned: true });
    await owner.transfers.create({ to: other.handle, amount: "50", clientSigned: true });
    const ask = async (amount: string) => {
      const { api_key } = await owner.keys.create({ label: "bot", agent: "bot" });
      const held = await new Halcyon({ url: baseURL, apiKey: api_key, configDir }).transfers.create({
        to: "@demo",
        amount,
      });
      return "transaction_id" in held ? held.transaction_id : "";
    };
    const [id, second] = [await ask("7"), await ask("8")];
    const details = `/v1/agents/transactions/${id}`;
    let secondEncrypted: unknown;
    const textOf = (body: Json | undefined) => body?.encrypted as Json | undefined;
    lie = (path, body) => {
      if (path.endsWith("/pending"))
        secondEncrypted = textOf((body.pending as Json[]).find((one) => one.transaction_id === second))?.ciphertext;
      return body;
    };
    await owner.approvals.list();
    expect(secondEncrypted).toMatch(/^0x/);

    const on =
      (ending: string, change: (body: Json) => Json): Lie =>
      (path, body) =>
        path === ending ? change(body) : body;
    const swapped = (body: Json) => ({
      agents: (body.agents as Json[]).map((one) => ({
        ...one,
        public_key: one.handle === bot.handle ? other.public_key : bot.public_key,
      })),
    });
    const lies: [string, Lie][] = [
      ["another recipient's handle", on(details, (body) => ({ ...body, to: `@${mallory.handle}` }))],
      ["another recipient's address", on(details, (body) => ({ ...body, to: mallory.address }))],
      ["another address of the handle", on("/api/accounts/resolve", (body) => ({ ...body, address: mallory.address }))],
      [
        "the text of another payment",
        on(details, (body) => ({ ...body, encrypted: { ...textOf(body), ciphertext: secondEncrypted } })),
      ],
      ["another asset", on(details, (body) => ({ ...body, encrypted: { ...textOf(body), asset: "ETH" } }))],
      ["another agent", on(details, (body) => ({ ...body, agent: other.handle }))],
      ["agents with each other's addresses", on("/v1/accounts/me/agents", swapped)],
    ];
    for (const [what, variant] of lies) {
      lie = variant;
      posted.length = 0;
      await expect(owner.approvals.approve(id), what).rejects.toMatchObject({
        name: expect.stringMatching(/Error|Mismatch/),
      });
      expect(posted, what).not.toContain(`${details}/approve`);
    }

    lie = (_, body) => body;
    expect(await owner.approvals.approve(id)).toMatchObject({ status: "approved" });
    expect((await owner.transfers.listDecrypted({ agent: "bot" })).transfers[0]).toMatchObject({
      to: "@demo",
      amount: "7",
    });
  } finally {
    await rm(configDir, { recursive: true, force: true });
  }
});
