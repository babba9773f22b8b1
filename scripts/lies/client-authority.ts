import { randomBytes } from "node:crypto";
import type { Verb } from "./client-action";
import type { World } from "./lying-service";

/** The policy of a new agent of a world, as the chain shows it. */
const POLICY = "daily 1000, each 1000, approval above 1000, to *";
const changed = POLICY.replace("daily 1000", "daily 5");
const FIELDS = {
  daily_limit_usdg: 5,
  per_transaction_limit_usdg: 2,
  allowed_recipients: ["*"],
  assets: ["USDG" as const],
};
const LIMITS = "daily 5, each 2, approval above 0, to *";
const POLICY_LABELS = ["policy_id", "updated_at"];
const spare = async (world: World) => (await world.spareAgent()).handle;

/** What the client signs that moves no money: who may pay what. */
export const SIGNING: readonly Verb[] = [
  {
    name: "change a policy",
    of: ["policies.update"],
    labels: POLICY_LABELS,
    moves: () => [`spare policy ${changed}`],
    before: spare,
    run: (client, _, handle) => client.policies.update(handle, { daily_limit_usdg: 5 }),
  },
  {
    name: "create an agent",
    of: ["agents.create"],
    labels: ["spend_policy_id"],
    moves: () => ["new agent enrolled", `new agent policy ${LIMITS}`],
    before: async (world) => `@${world.owner.account.handle}/${randomBytes(12).toString("hex")}`,
    run: async (client, world, handle) => {
      const created = await client.agents.create({ name: handle.split("/")[1] ?? "", spendPolicy: FIELDS });
      return { ...created, public_key: await world.nameNow(created.public_key) };
    },
  },
  {
    name: "replace an agent's key",
    of: ["agents.replaceKey"],
    moves: () => ["spare make_available USDG", "spare signer new"],
    before: async (world) => (await world.spareAgent({ withMoney: true })).handle,
    run: async (client, world, handle) => {
      // The service need not report the transaction.
      const { tx_hash: _, ...replaced } = await client.agents.replaceKey(handle);
      return { ...replaced, signer: await world.signerOf(replaced.signer) };
    },
  },
  {
    name: "end an agent",
    of: ["agents.end"],
    moves: () => ["spare signer none"],
    before: spare,
    run: (client, _, handle) => client.agents.end(handle),
  },
  {
    name: "resume an agent",
    of: ["agents.resume"],
    labels: ["spend_policy_id"],
    moves: () => [`spare policy ${POLICY}`],
    before: async (world) => {
      const handle = await spare(world);
      await (await world.client()).agents.pause(handle);
      return handle;
    },
    run: async (client, world, handle) => {
      const resumed = await client.agents.resume(handle);
      return { ...resumed, public_key: world.nameOf(resumed.public_key) };
    },
  },
  {
    name: "set first limits",
    of: ["limits.set"],
    last: true,
    labels: POLICY_LABELS,
    moves: () => [`owner policy ${LIMITS}`],
    before: async (world) => {
      await (await world.client()).limits.clear();
      return "";
    },
    run: (client) => client.limits.set(FIELDS),
  },
  {
    name: "change the limits",
    of: ["limits.set"],
    last: true,
    labels: POLICY_LABELS,
    moves: () => [`owner policy ${LIMITS.replace("daily 5", "daily 4")}`],
    before: async (world) => {
      await (await world.client()).limits.set({ ...FIELDS, hitl_threshold_usdg: 0 });
      return "";
    },
    run: (client) => client.limits.set({ daily_limit_usdg: 4 }),
  },
  {
    name: "clear the limits",
    of: ["limits.clear"],
    last: true,
    moves: () => ["owner policy none"],
    before: async (world) => {
      await (await world.client()).limits.set({ ...FIELDS, hitl_threshold_usdg: 0 });
      return "";
    },
    run: (client) => client.limits.clear(),
  },
  {
    name: "set the guard",
    of: ["security.setGuard"],
    last: true,
    moves: () => ["owner guarded true"],
    before: async (world) => {
      const client = await world.client();
      await client.limits.clear();
      await client.security.setGuard(false);
      return "";
    },
    run: (client) => client.security.setGuard(true),
  },
  {
    name: "renew the payment key",
    of: ["security.renewPaymentKey"],
    last: true,
    moves: () => ["owner payment key the same"],
    before: (world) => world.renewable(),
    run: async (client) => {
      const { payment_key_until, ...rest } = await client.security.renewPaymentKey();
      return { ...rest, days: Math.round((Date.parse(payment_key_until) - Date.now()) / 86_400_000) };
    },
  },
  {
    name: "give up a balance",
    of: ["security.abandonBalance"],
    last: true,
    moves: () => ["owner abandoned USDG"],
    before: (world) => world.loseBalance(),
    run: async (client, _, lost) => {
      const { tx_hash, ...given } = await client.security.abandonBalance();
      return { tx_hash, given: JSON.stringify(given) === lost ? "as the chain shows it" : given };
    },
  },
  {
    name: "rotate the account secret",
    of: ["security.rotateAccountSecret"],
    alone: true,
    moves: () => [
      ...["owner make_available USDG", "owner make_available ETH", "agent make_available USDG"],
      ...["owner payment key another", "agent signer new"],
    ],
    before: async (world) => {
      await (await world.client()).balances.makeAvailable({ amount: "0.02" });
      await world.quiet();
      return "";
    },
    run: async (client) => {
      // Each run makes a new version and ends the keys that there are, and the service need not report the transaction.
      const result = await client.security.rotateAccountSecret();
      const { secret_version: _, tx_hash: __, keys_ended: ___, ...rotated } = result;
      return rotated;
    },
  },
];
