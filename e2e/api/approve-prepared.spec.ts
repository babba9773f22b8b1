import type { Hex } from "viem";
import { partyOf } from "@/sdk/account/party";
import { repositoryContext } from "@/sdk/client";
import { preparePayment } from "@/sdk/payments/payment";
import { resolveRecipient } from "@/sdk/payments/recipient";
import { type AgentParty, agentStateOf, holdPayment, newAgent } from "./agent-fixtures";
import { expect, type Party, productURL, settled, test } from "./fixtures";

interface Wanted {
  from: AgentParty;
  to: string;
  kind?: "transfer" | "release";
}

/** Builds and signs payments of 11 USDG on the owner's device. */
function deviceOf({ walletKey }: Party, configDir: string) {
  const context = repositoryContext({ url: productURL, walletKey: walletKey as Hex, configDir });
  return async ({ from, to, kind = "transfer" }: Wanted) => {
    const payer = await partyOf(context, from.handle);
    const [asset, recipient] = await Promise.all([context.asset("USDG"), resolveRecipient(context, payer.address, to)]);
    return preparePayment(context, payer, { to: recipient, asset, units: 11_000_000n, kind, counted: true });
  };
}

const approve = (party: Party, id: string, prepared: object) =>
  party.call("POST", `/v1/agents/transactions/${id}/approve`, { prepared });

test("what the owner prepared pays a held payment, by session and by key, within the limits of today", async ({
  alice,
  bob,
}, info) => {
  const agent = await newAgent(alice, "40");
  const prepare = deviceOf(alice, info.outputPath("config"));
  const ids = [];
  for (let i = 0; i < 3; i++) ids.push(await holdPayment(agent, { to: bob.handle, amount: "11" }));
  const [byKey = "", bySession = "", over = ""] = ids;
  const first = await approve(alice, byKey, await prepare({ from: agent, to: bob.handle }));
  expect(first.json, first.text).toMatchObject({ transaction_id: byKey, status: "approved", agent: agent.handle });
  const response = await alice.session.send("POST", `/api/agents/transactions/${bySession}/approve`, {
    prepared: await prepare({ from: agent, to: bob.handle }),
  });
  const second = await response.json();
  expect(second).toMatchObject({ transaction_id: bySession, status: "approved", to: bob.handle });
  for (const { transfer_id } of [first.json, second]) {
    expect(await settled(alice, String(transfer_id))).toMatchObject({ status: "confirmed", from: agent.handle });
  }
  const again = await approve(alice, byKey, await prepare({ from: agent, to: bob.handle }));
  expect(again.json.error).toMatchObject({ code: "transaction_not_found" });

  // An approval lifts only the threshold. Neither the service nor the owner's device can exceed a limit.
  const before = await prepare({ from: agent, to: bob.handle });
  await alice.call("PATCH", `/v1/agents/${agent.id}/spend-policy`, { per_transaction_limit_usdg: 1 });
  expect((await alice.call("POST", `/v1/agents/transactions/${over}/approve`)).json.error).toMatchObject({
    reason: "per_transaction_limit",
  });
  expect((await approve(alice, over, before)).status).not.toBe(200);
  await expect(prepare({ from: agent, to: bob.handle })).rejects.toMatchObject({ reason: "per_transaction_limit" });
  expect((await alice.call("GET", `/v1/agents/transactions/${over}`)).json.status).toBe("pending_approval");
});

test("a document that pays something else than was asked is refused, names what, and leaves it held", async ({
  alice,
  bob,
}, info) => {
  const [agent, sibling] = [await newAgent(alice, "40"), await newAgent(alice, "40")];
  const prepare = deviceOf(alice, info.outputPath("config"));
  const id = await holdPayment(agent, { to: bob.handle, amount: "11" });
  const right = await prepare({ from: agent, to: bob.handle });
  const refused: [prepared: object, param: string][] = [
    [await prepare({ from: agent, to: alice.handle }), "prepared.to"],
    [await prepare({ from: agent, to: sibling.handle }), "prepared.to"],
    [await prepare({ from: sibling, to: bob.handle }), "prepared.account"],
    [await prepare({ from: agent, to: bob.address, kind: "release" }), "prepared.kind"],
    [{ ...right, asset: `0x${"00".repeat(20)}` }, "prepared.asset"],
    [{ ...right, to: alice.address.toLowerCase() }, "prepared.to"],
    [{ ...right, signature: `0x${"11".repeat(64)}1b` }, "prepared.signature"],
  ];
  const before = await agentStateOf(alice, agent.id);
  for (const [prepared, param] of refused) {
    const response = await approve(alice, id, prepared);
    expect(response.json.error, `${param}: ${response.text}`).toMatchObject({ code: "invalid_request", param });
    expect(response.status).toBe(400);
  }
  expect(await agentStateOf(alice, agent.id)).toEqual(before);
  expect((await approve(alice, id, right)).status).toBe(200);
});

test("pause, recipients, assets and hours hold for what the owner prepared; so does the newest budget", async ({
  alice,
  bob,
}, info) => {
  const agent = await newAgent(alice, "40");
  const prepare = deviceOf(alice, info.outputPath("config"));
  const id = await holdPayment(agent, { to: bob.handle, amount: "11" });
  const path = `/v1/agents/${agent.id}/spend-policy`;
  const prepared = await prepare({ from: agent, to: bob.handle });
  const now = new Date().getUTCHours();
  const hour = (ahead: number) => `${String((now + ahead) % 24).padStart(2, "0")}:00`;
  const changes: [patch: object, back: object, reason: string][] = [
    [{ allowed_recipients: [] }, { allowed_recipients: ["*"] }, "recipient_not_allowed"],
    [{ assets: [] }, { assets: ["USDG"] }, "asset_not_allowed"],
    [{ active_hours: `${hour(3)}-${hour(5)}` }, { active_hours: "00:00-24:00" }, "outside_active_hours"],
  ];
  for (const [patch, back, reason] of changes) {
    await alice.call("PATCH", path, patch);
    expect((await approve(alice, id, prepared)).json.error).toMatchObject({ code: "policy_violation", reason });
    await alice.call("PATCH", path, back);
  }
  await alice.call("POST", `/v1/agents/${agent.id}/pause`);
  expect((await approve(alice, id, prepared)).json.error).toMatchObject({ reason: "agent_paused" });
  await alice.call("POST", `/v1/agents/${agent.id}/resume`);

  expect((await agent.call("POST", "/v1/transfers", { to: bob.handle, amount: "1" })).status).toBe(201);
  const late = await approve(alice, id, prepared);
  expect([late.status, late.json.error?.code]).toEqual([409, "budget_changed"]);
  const { json } = await alice.call("GET", `/v1/agents/transactions/${id}`);
  expect(json.status).toBe("pending_approval");
  expect((await approve(alice, id, await prepare({ from: agent, to: bob.handle }))).status).toBe(200);
});
