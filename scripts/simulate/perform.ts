import { HalcyonError } from "@/sdk/api/errors";
import type { Halcyon } from "@/sdk/client";
import { sleep } from "../stack/processes";
import type { BlindKey } from "./blind-key";
import { isToAskAgain } from "./codes-to-ask-again";
import { nothingPending } from "./nothing-pending";
import type { Expected, Operation, Step } from "./operations";
import { type AgentParty, newAgentKey, newServerKey, type Party, policyOf, type World } from "./world";

/** How an operation ended, as the client that asked for it saw it. */
export interface Ended {
  outcome: "sent" | "awaiting" | "done" | "refused" | "stuck";
  /** Of the transfer, or of the payment that awaits approval. */
  id?: string;
  /** Of a payout's transfers, in the order of its rows. */
  ids?: string[];
  code?: string;
  reason?: string;
  /** What was said last, of one that is stuck. */
  message?: string;
}

/** Who pays: with a blind key if there is one. */
type Payer = Pick<Party, "server"> & { blind?: BlindKey | undefined };

const STUCK_MS = 600_000;
const PAUSE_MS = 300;

export const usdg = (amount: bigint) => `${amount / 1_000_000n}.${String(amount % 1_000_000n).padStart(6, "0")}`;

/** Asks until there is a definite response: what anyone does whose payment got none. */
async function definite(ask: () => Promise<Ended>, note: (error: HalcyonError) => void): Promise<Ended> {
  let last = "";
  for (const end = performance.now() + STUCK_MS; performance.now() < end; await sleep(PAUSE_MS)) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof HalcyonError)) throw error;
      const { code, reason, message } = error;
      note(error);
      if (!isToAskAgain(error)) return { outcome: "refused", code, reason, message };
      last = `${code}: ${message}`;
    }
  }
  return { outcome: "stuck", message: last };
}

/** Does what a step says, and again until it is known how it ended. */
export class Performer {
  /** By step. */
  readonly ended = new Map<number, Ended>();
  /** Errors that reached a client, counted by code: figures, not faults, but for `internal`. */
  readonly errors = new Map<string, number>();

  constructor(
    private readonly world: World,
    private readonly steps: ReadonlyMap<number, Step>,
  ) {}

  async perform({ n, operation }: Step): Promise<Ended> {
    const ended = await definite(
      () => this.ask(operation),
      ({ name, code, message, requestId }) => {
        this.errors.set(code, (this.errors.get(code) ?? 0) + 1);
        // Also one that a client makes of what it does not understand.
        if (code === "internal" || name === "UnreadableResponse")
          this.world.internal.push(`step ${n} (${operation.kind}): ${message} ${requestId ?? ""}`);
      },
    );
    this.ended.set(n, ended);
    return ended;
  }

  /** Of a step that was done to the product, not by it. */
  did({ n }: Step): void {
    this.ended.set(n, { outcome: "done" });
  }

  private account(n: number): Party {
    return this.world.accounts[n] as Party;
  }

  private agent(n: number): AgentParty {
    return this.world.agents[n] as AgentParty;
  }

  private async ask(operation: Operation): Promise<Ended> {
    switch (operation.kind) {
      case "pay":
        return this.pay(this.account(operation.from), operation);
      case "agent_pay": {
        const { program, blind } = this.agent(operation.agent);
        return this.pay({ server: program, blind }, operation);
      }
      case "repeat":
        return this.ask((this.steps.get(operation.of) as Step).operation);
      case "decide":
        return this.decide(operation);
      case "policy": {
        const { owner, zone } = this.agent(operation.agent);
        const by = operation.by === "wallet" ? owner.wallet : owner.server;
        await by.policies.update("bot", policyOf(operation.limits, zone));
        return { outcome: "done" };
      }
      case "pause":
      case "resume": {
        const { owner } = this.agent(operation.agent);
        await owner.wallet.agents[operation.kind]("bot");
        return { outcome: "done" };
      }
      case "make_available":
        return this.makeAvailable(this.account(operation.account));
      case "payout":
        return this.payOut(this.account(operation.from), operation);
      case "pay_failing": {
        const { server, blind } = this.account(operation.from);
        const { to } = await server.testHelpers.failingRecipient();
        const sent = await this.payTo({ server, blind }, to, operation);
        // What is paid from the same balance meanwhile builds on it, and fails with it.
        while ((await server.transfers.get(sent.id ?? "")).status === "pending") await sleep(PAUSE_MS);
        return sent;
      }
      case "schedule":
        return this.createSchedule(operation);
      case "refund":
        return this.refund(operation);
      case "pay_request":
        return this.payRequest(operation);
      case "withdraw": {
        const { wallet } = this.account(operation.account);
        const { address: to, amount, key } = operation;
        const sent = await wallet.withdrawals.create(
          { to, amount: usdg(amount) },
          { idempotencyKey: key, wait: false },
        );
        return sentAs(sent);
      }
      case "run_due": {
        const { wallet, server } = this.account(operation.account);
        // A run that fails stays due: the next pass pays it.
        await (operation.by === "wallet" ? wallet : server).schedules.runDue();
        return { outcome: "done" };
      }
      case "new_key": {
        const party = this.account(operation.account);
        const { keyId, blind } = party;
        await newServerKey(this.world, party);
        for (const id of [keyId, ...(blind ? [blind.keyId] : [])]) {
          // Whether it still is valid is not known until there is a response.
          this.world.keysGiven.delete(id);
          await party.wallet.keys.revoke(id);
          this.world.keysGiven.set(id, "revoked");
        }
        return { outcome: "done" };
      }
      case "pay_revoked": {
        const { revoked } = this.account(operation.from);
        if (!revoked) throw new Error("no key was revoked");
        return this.pay({ server: revoked }, operation);
      }
      case "rotate": {
        const party = this.account(operation.account);
        // Its open requests end with the key that signed them (docs/guides/payment-requests.md).
        await nothingPending(party);
        await party.wallet.paymentRequests.check();
        const { unfinished } = await party.wallet.security.rotateAccountSecret();
        // A rotation reports what failed, for example while a node is away, and another one retries it.
        if (unfinished) throw new HalcyonError("unavailable", unfinished.map(({ what }) => what).join(", "));
        const agents = this.world.agents.filter(({ owner }) => owner === party);
        for (const { keyId } of [party, ...agents]) this.world.keysGiven.set(keyId, "revoked");
        if (party.blind) this.world.keysGiven.set(party.blind.keyId, "revoked");
        await newServerKey(this.world, party);
        for (const agent of agents) await newAgentKey(this.world, agent);
        return { outcome: "done" };
      }
      case "webhook_secret": {
        const { server, webhookId, secrets } = this.account(operation.account);
        secrets.push((await server.webhooks.rotateSecret(webhookId)).secret);
        return { outcome: "done" };
      }
      case "endpoint": {
        const { failing } = this.world;
        const { hook } = this.account(operation.account);
        failing.add(hook);
        await sleep(operation.seconds * 1_000);
        failing.delete(hook);
        return { outcome: "done" };
      }
      case "kill":
      case "freeze":
      case "silence":
      case "hold_locks":
      case "take_connections":
      case "fill_disk":
      case "clock_ahead":
      case "clock":
      case "reorganize":
      case "rpc":
      case "lie":
        throw new Error("no one asks the service for that");
    }
  }

  private pay(payer: Payer, { to, ...payment }: { to: number; amount: bigint; key: string }): Promise<Ended> {
    return this.payTo(payer, `@${this.account(to).handle}`, payment);
  }

  private payTo(payer: Payer, to: string, { amount, key }: { amount: bigint; key: string }): Promise<Ended> {
    return this.by(payer, key, async (client) => {
      const sent = await client.transfers.create({ to, amount: usdg(amount) }, { idempotencyKey: key, wait: false });
      if (!("transfer_id" in sent)) return { outcome: "awaiting", id: sent.transaction_id };
      if (sent.transfer_id === null) throw new HalcyonError("outcome_unknown", "The payment has no id yet.");
      return { outcome: "sent", id: sent.transfer_id };
    });
  }

  /** Makes a request with a plain key, or by one of the processes that have a blind one. */
  private by<T extends { id?: string }>(
    { server, blind }: Payer,
    key: string,
    make: (client: Halcyon) => Promise<T>,
    options?: { mayTogether?: boolean },
  ): Promise<T> {
    return blind ? this.world.blindCaller.ask(blind, key, make, options) : make(server);
  }

  private async refund({ of, from, amount, key, by }: Extract<Operation, { kind: "refund" }>): Promise<Ended> {
    const { wallet, server, blind } = this.account(from);
    const id = this.ended.get(of)?.id;
    if (!id) throw new HalcyonError("unavailable", `step ${of} is still under way`);
    // Only what has arrived goes back.
    while ((await server.transfers.get(id)).status === "pending") await sleep(PAUSE_MS);
    const client = by === "wallet" ? wallet : (blind?.clients.at(-1) ?? server);
    const sent = await client.transfers.refund(id, { amount: usdg(amount) }, { idempotencyKey: key, wait: false });
    return sentAs(sent);
  }

  private async payRequest({ from, to, amount, key, by }: Extract<Operation, { kind: "pay_request" }>): Promise<Ended> {
    const { wallet, server, blind } = this.account(from);
    const payee = this.account(to);
    const asked = { amount: usdg(amount), reference: key };
    const asker = payee.blind?.clients.at(-1) ?? payee.server;
    const { link } = await asker.paymentRequests.create(asked, { idempotencyKey: key });
    const program = blind?.clients.at(-1) ?? server;
    const { transfer } = await (by === "wallet" ? wallet : program).paymentRequests.pay(link, {}, { wait: false });
    return sentAs(transfer);
  }

  private async createSchedule({
    account,
    to,
    amount,
    zone,
    start,
    key,
  }: Extract<Operation, { kind: "schedule" }>): Promise<Ended> {
    const { schedule_id: id } = await this.account(account).server.schedules.create(
      {
        rule: { frequency: "daily", start, time: "02:30", time_zone: zone },
        payments: [{ to: `@${this.account(to).handle}`, amount: usdg(amount) }],
      },
      { idempotencyKey: key },
    );
    return { outcome: "done", id };
  }

  /** Until every row is final: a payout that is interrupted goes on with the same key. */
  private async payOut(payer: Party, { rows, key }: Extract<Operation, { kind: "payout" }>): Promise<Ended> {
    const { server, blind } = payer;
    const asked = rows.map(({ to, amount }) => ({ to: `@${this.account(to).handle}`, amount: usdg(amount) }));
    const { id: payout_id } = await this.by({ server, blind }, key, async (client) => {
      const created = await client.payouts.create({ rows: asked }, { idempotencyKey: key });
      if (created.status === "finished") return { id: created.payout_id };
      throw new HalcyonError("unavailable", `The payout is ${created.status}.`);
    });
    const ids: string[] = [];
    for await (const { transfer_id } of server.payouts.rows(payout_id)) ids.push(transfer_id ?? "");
    return { outcome: "sent", id: payout_id, ids };
  }

  private async decide({ agent, of, decision }: Extract<Operation, { kind: "decide" }>): Promise<Ended> {
    const { owner } = this.agent(agent);
    const id = this.ended.get(of)?.id;
    if (!id) throw new Error(`step ${of} awaits no approval`);
    const wanted = decision === "approve" ? "approved" : decision === "reject" ? "rejected" : "expired";
    // An earlier try may have got through without a response.
    const before = await owner.server.approvals.get(id);
    if (before.status === wanted) return decided(before);
    if (decision === "approve") {
      // One that was approved meanwhile is refused to the other process.
      return this.by(
        this.approver(agent, of),
        `approve ${id}`,
        async (client) => {
          const { transfer_id } = await client.approvals.approve(id, { wait: false });
          return { outcome: "sent", id: transfer_id };
        },
        { mayTogether: false },
      );
    }
    if (decision === "reject") await owner.server.approvals.reject(id);
    else await owner.server.testHelpers.expire(id);
    return { outcome: "done" };
  }

  /** Approves with a plain key every other time, also what a blind key asked for. */
  private approver(agent: number, of: number): Payer {
    const { server, blind } = this.agent(agent).owner;
    return { server, blind: of % 2 === 0 ? blind : undefined };
  }

  private async makeAvailable({ wallet }: Party): Promise<Ended> {
    try {
      await wallet.balances.makeAvailable();
    } catch (error) {
      // There was nothing to make available.
      if (!(error instanceof HalcyonError) || error.code !== "insufficient_balance") throw error;
    }
    return { outcome: "done" };
  }
}

/** A payment of an account; the chain may have shown it before the service named it. */
function sentAs(sent: { transfer_id: string | null } | { transaction_id: string }): Ended {
  if (!("transfer_id" in sent)) throw new Error("a payment of an account awaits no approval");
  if (sent.transfer_id === null) throw new HalcyonError("outcome_unknown", "The payment has no id yet.");
  return { outcome: "sent", id: sent.transfer_id };
}

function decided({ status, transfer_id: id }: { status: string; transfer_id?: string }): Ended {
  return status === "approved" ? { outcome: "sent", id } : { outcome: "done" };
}

/** What is wrong with how a step ended; undefined when nothing is. */
export function unexpected({ n, operation, expected }: Step, ended: Ended): string | undefined {
  if (isAs(expected, ended)) return undefined;
  const { outcome, code, reason, message } = ended;
  const wanted = [expected.outcome, ...(expected.outcome === "refused" ? [expected.code, expected.reason] : [])];
  const inWords = (parts: readonly (string | undefined)[]) => parts.filter(Boolean).join(" ");
  const end = inWords([outcome, code, reason, message]);
  return `step ${n} (${operation.kind}) had to end ${inWords(wanted)}, and ended ${end}`;
}

function isAs(expected: Expected, { outcome, code, reason }: Ended): boolean {
  if (expected.outcome === "either") return outcome !== "stuck";
  if (expected.outcome !== "refused") return outcome === expected.outcome;
  return outcome === "refused" && code === expected.code && (!expected.reason || reason === expected.reason);
}
