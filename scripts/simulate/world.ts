import { randomUUID } from "node:crypto";
import path from "node:path";
import { generatePrivateKey } from "viem/accounts";
import { EVENT_TYPES } from "@/lib/events/catalogue";
import type { CreatedKey } from "@/sdk/account/keys";
import type { CallLimits } from "@/sdk/api/call-options";
import { Halcyon } from "@/sdk/client";
import { type Received, Receiver } from "@/test/services/receiver";
import { refuseSome } from "../kill/deliveries";
import { HomeKeyProxies } from "../kill/home-key-proxies";
import { BlindCaller, type BlindKey, PROXIES } from "./blind-key";
import type { KeyState } from "./observed-facts";
import { ACCOUNTS, AGENTS, FIRST_LIMITS, type Limits } from "./operations";

/** An account as its owner has it. */
export interface Party {
  /** Without the `@`. */
  handle: string;
  /** With the wallet, which decrypts everything, and asks the chain itself. */
  wallet: Halcyon;
  /** With the API key alone, as a server has it. */
  server: Halcyon;
  /** Of the key that `server` uses. */
  keyId: string;
  /** With the key before that, which is revoked. */
  revoked?: Halcyon;
  /** A blind key beside it, with which the account pays, if it is one that does. */
  blind?: BlindKey;
  webhookId: string;
  /** The secrets of its webhook, in the order in which they were given. */
  secrets: string[];
  /** Where its webhook endpoint is on the receiver. */
  hook: string;
  /** Of the account on the ledger. */
  address: string;
  /** Makes a client with an API key alone. */
  clientOf(apiKey: string): Halcyon;
  /** By when the endpoint was there, in milliseconds since the epoch. */
  hookSince: number;
}

/** An agent with a key of its own. */
export interface AgentParty {
  /** Without the `@`. */
  handle: string;
  owner: Party;
  /** Of the agent on the ledger. */
  address: string;
  /** In which its policy counts days. */
  zone: string;
  /** With the agent's API key alone. */
  program: Halcyon;
  /** Of the key that `program` uses. */
  keyId: string;
  /** The same key, if it is blind. */
  blind?: BlindKey;
}

/** Everyone who takes part. */
export interface World {
  accounts: Party[];
  agents: AgentParty[];
  receiver: Receiver;
  /** Deliveries that the receiver accepted. */
  accepted: Received[];
  /** Paths of the receiver that respond with an error now. */
  failing: Set<string>;
  /** What the clients know of the API keys that they were given, by id. */
  keysGiven: Map<string, KeyState>;
  /** Asks the processes of blind keys. */
  blindCaller: BlindCaller;
  /** Build payments with the home keys of everyone. */
  proxies: HomeKeyProxies;
  /** Makes the clients of a blind key. */
  blindKeyOf(created: CreatedKey): BlindKey;
  /** Requests that failed inside the service, also those that the client repeated by itself. */
  internal: string[];
  /** What came in by the faucet, in millionths of USDG. */
  deposited: bigint;
  /** What each account and agent then has, in millionths of USDG, by handle. */
  given: Map<string, bigint>;
  /** When it began, by this process's clock. */
  begun: number;
}

/** The most that the faucet gives at a time. */
const FAUCET = 10_000_000n;
const TIMES = 3;
const MICRO = 1_000_000n;
/** Accounts that also have a blind key, and pay with it. The agents of the first one do not. */
const BLIND_ACCOUNTS: readonly number[] = [1, 2];
const BLIND_AGENTS: readonly number[] = [1];
/** Of an agent: whole, so that it is not looked for as a payment's amount. */
const AGENT_FUNDS = 9_000_000n;

/** A policy with these limits. */
export function policyOf({ daily, perTransaction, threshold }: Limits, zone: string) {
  return {
    daily_limit_usdg: daily,
    per_transaction_limit_usdg: perTransaction,
    hitl_threshold_usdg: threshold,
    allowed_recipients: ["*"],
    assets: ["USDG" as const],
    active_hours: "00:00-24:00",
    time_zone: zone,
  };
}

interface WorldPlace {
  url: string;
  rpcUrl: string;
  data: string;
  /** Environment of processes that are clients. */
  clientEnv: Readonly<Record<string, string>>;
}

/** Signs everyone up, on a product that works. */
export async function newWorld({ url, rpcUrl, data, clientEnv }: WorldPlace, zones: readonly string[]): Promise<World> {
  const begun = Date.now();
  // Clients remember whose a handle is, also from an earlier run.
  const run = randomUUID().slice(0, 8);
  const configDir = path.join(data, "clients");
  const receiver = await Receiver.start();
  const failing = new Set<string>();
  const { accepted } = refuseSome(receiver, failing);
  const internal: string[] = [];
  // A service that can't serve a request says so (503); 500 is its own fault, also while its parts are killed.
  const onResponse: CallLimits["onResponse"] = ({ status, method, path: at, requestId }) => {
    if (status === 500) internal.push(`${method} ${at}, request ${requestId}`);
  };
  const common = { url, rpcUrl, configDir, onResponse };
  const keysGiven = new Map<string, KeyState>();
  const clientOf = (apiKey: string) => new Halcyon({ ...common, apiKey });
  const place = { url, rpcUrl, folder: configDir, env: clientEnv };
  const proxies = await HomeKeyProxies.at(place, PROXIES);
  const blindKeyOf = ({ key_id: keyId, api_key: apiKey, home_key: homeKey = "" }: CreatedKey): BlindKey => {
    const byProxy = proxies.urls.map((proxyUrl) => new Halcyon({ ...common, url: proxyUrl, apiKey }));
    return { keyId, homeKey, clients: [...byProxy, new Halcyon({ ...common, apiKey, homeKey })] };
  };
  const accounts = await Promise.all(
    Array.from({ length: ACCOUNTS }, async (_, n): Promise<Party> => {
      const handle = `party-${run}-${n}`;
      const wallet = new Halcyon({ ...common, walletKey: generatePrivateKey() });
      await wallet.account.create({ handle });
      const { public_key: address } = await wallet.account.getByWallet();
      for (let times = 0; times < TIMES; times++) await wallet.testHelpers.faucet({ amount: String(FAUCET) });
      await wallet.balances.makeAvailable();
      const { api_key: apiKey, key_id: keyId } = await wallet.keys.create({ label: "server" });
      keysGiven.set(keyId, "valid");
      const server = clientOf(apiKey);
      const hook = `/${handle}`;
      const created = await server.webhooks.create({ url: receiver.url(hook), events: EVENT_TYPES });
      const { webhook_id: webhookId, secret } = created;
      const secrets = [secret];
      return { handle, wallet, server, keyId, webhookId, secrets, hook, address, hookSince: Date.now(), clientOf };
    }),
  );
  const agents = await Promise.all(
    accounts.slice(0, AGENTS).map(async (owner, n): Promise<AgentParty> => {
      const zone = zones[n] ?? "UTC";
      const agent = await owner.wallet.agents.create({ name: "bot", spendPolicy: policyOf(FIRST_LIMITS, zone) });
      await owner.wallet.transfers.create({ to: agent.handle, amount: String(AGENT_FUNDS), clientSigned: true });
      const isBlind = BLIND_AGENTS.includes(n);
      const created = await owner.wallet.keys.create({ label: "bot", agent: "bot", blind: isBlind });
      const { api_key: apiKey, key_id: keyId } = created;
      keysGiven.set(keyId, "valid");
      const program = clientOf(apiKey);
      const blind = isBlind ? { blind: blindKeyOf(created) } : {};
      return {
        handle: agent.handle.replace(/^@/, ""),
        owner,
        address: agent.public_key,
        zone,
        program,
        keyId,
        ...blind,
      };
    }),
  );
  const each = BigInt(TIMES) * FAUCET * MICRO;
  const given = new Map(accounts.map(({ handle }) => [handle, each]));
  for (const { handle, owner } of agents) {
    given.set(handle, AGENT_FUNDS * MICRO);
    given.set(owner.handle, each - AGENT_FUNDS * MICRO);
  }
  const deposited = BigInt(ACCOUNTS) * each;
  const world = {
    ...{ accounts, agents, receiver, accepted, failing, keysGiven, internal, deposited, given, begun },
    ...{ blindCaller: new BlindCaller(proxies), proxies, blindKeyOf },
  };
  for (const n of BLIND_ACCOUNTS) await newBlindKey(world, accounts[n] as Party);
  await restartProxies(world);
  return world;
}

async function newBlindKey({ keysGiven, blindKeyOf }: World, party: Party): Promise<void> {
  party.blind = blindKeyOf(await party.wallet.keys.create({ label: "blind", blind: true }));
  keysGiven.set(party.blind.keyId, "valid");
}

/** Restarts the proxies with everyone's home keys. Nothing may be on its way through them. */
async function restartProxies({ accounts, agents, proxies }: World): Promise<void> {
  await proxies.use([...accounts, ...agents].flatMap(({ blind }) => blind?.homeKey ?? []));
}

/** Gives an account's programs other API keys; those before are left to be revoked. */
export async function newServerKey(world: World, party: Party): Promise<void> {
  const { api_key: apiKey, key_id: keyId } = await party.wallet.keys.create({ label: "server" });
  world.keysGiven.set(keyId, "valid");
  party.revoked = party.blind?.clients.at(-1) ?? party.server;
  party.server = party.clientOf(apiKey);
  party.keyId = keyId;
  if (!party.blind) return;
  await newBlindKey(world, party);
  await restartProxies(world);
}

/** Gives an agent another API key. */
export async function newAgentKey(world: World, agent: AgentParty): Promise<void> {
  const asked = { label: "bot", agent: "bot", blind: agent.blind !== undefined };
  const created = await agent.owner.wallet.keys.create(asked);
  world.keysGiven.set(created.key_id, "valid");
  agent.program = agent.owner.clientOf(created.api_key);
  agent.keyId = created.key_id;
  if (!agent.blind) return;
  agent.blind = world.blindKeyOf(created);
  await restartProxies(world);
}
