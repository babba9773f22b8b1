import { randomBytes } from "node:crypto";
import { generatePrivateKey } from "viem/accounts";
import { Halcyon } from "@/sdk/client";

/** The longest texts that people give things, and texts in other scripts and directions. */
const LABEL = "Server of the northern branch, invoices and wages since 2026";
const RIGHT_TO_LEFT = "תשלום עבור ארוחת צהריים עם הצוות, חשבונית 1042";
const ARABIC = "شكرا جزيلا على العمل الرائع في هذا المشروع الطويل";
const EMOJI = "👩🏽‍🚀🎉🇩🇪☕️ thanks 🫶🏿 for the rocket 🚀🚀🚀";

/** An account that has something on every page, and what stands for `{name}` in the addresses of its pages. */
export interface FullAccount {
  walletKey: `0x${string}`;
  ids: Record<string, string>;
}

/** Creates an account whose pages are full of long texts, and one that it pays. */
export async function fullAccount(url: string): Promise<FullAccount> {
  const walletKey = generatePrivateKey();
  const client = new Halcyon({ url, walletKey });
  const handle = `northwind-${randomBytes(15).toString("hex")}`;
  await client.account.create({ handle });
  await client.account.verifyIdentity();
  await client.testHelpers.faucet({ amount: "50000" });
  await client.balances.makeAvailable();
  await client.testHelpers.faucet({ amount: "3" });
  const { api_key: apiKey } = await client.keys.create({ label: LABEL });
  const byKey = new Halcyon({ url, apiKey });
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}` },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return JSON.parse(text) as Record<string, string>;
  };

  const agent = await client.agents.create({
    name: "buyer-of-everything-in-the-north",
    spendPolicy: {
      daily_limit_usdg: 5_000,
      per_transaction_limit_usdg: 2_000,
      hitl_threshold_usdg: 10,
      allowed_recipients: ["*"],
    },
  });
  await client.transfers.create({ to: agent.handle, amount: "2500", clientSigned: true });
  const { api_key: agentKey } = await client.keys.create({ label: `${LABEL} (agent)`, agent: agent.handle });
  const byAgent = new Halcyon({ url, apiKey: agentKey });
  for (const memo of [RIGHT_TO_LEFT, EMOJI])
    await byAgent.transfers.create({ to: "@demo", amount: "1234.567891", memo });
  for (const memo of [RIGHT_TO_LEFT, ARABIC, EMOJI, LABEL])
    await byKey.transfers.create({ to: "@demo", amount: "1.234567", memo });

  const webhook = await call("POST", "/v1/webhooks", {
    url: `https://example.com/hooks/${"of-the-northern-branch/".repeat(4)}`,
    events: ["transfer.confirmed", "transfer.failed"],
  });
  const { transfer_id: transfer = "" } = (await byKey.transfers.list({ limit: 1 })).transfers[0] ?? {};
  const events = (await call("GET", "/v1/events?limit=1")).events as unknown as { event_id: string }[];
  const event = events[0]?.event_id ?? "";
  const delivery = await call("POST", `/v1/webhooks/${webhook.webhook_id}/replay/${event}`, {});
  const payments = [{ to: "@demo", amount: "1234.567891", memo: RIGHT_TO_LEFT }];
  const request = await client.paymentRequests.create({ amount: "1234.567891", note: `${RIGHT_TO_LEFT} 🎉🚀🇩🇪` });
  const schedule = await client.schedules.create({
    name: LABEL,
    rule: { frequency: "once", start: "2100-01-01" },
    payments,
  });
  const payout = await call("POST", "/v1/payouts", { rows: payments });
  const view = await client.sharedViews.create({ from: "2020-01-01", to: "2099-12-31", label: LABEL });
  return {
    walletKey,
    ids: {
      transfer,
      agent: agent.account_id,
      event,
      webhook: webhook.webhook_id ?? "",
      delivery: delivery.delivery_id ?? "",
      request: `${request.payment_request_id}${new URL(request.link).hash}`,
      schedule: schedule.schedule_id,
      payout: payout.payout_id ?? "",
      view: `${view.shared_view_id}${new URL(view.url).hash}`,
      guide: "webhooks",
      chapter: "transfers",
      code: "not_found",
      nowhere: "there-is-nothing-here",
    },
  };
}
