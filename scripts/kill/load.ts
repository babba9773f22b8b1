import { randomInt, randomUUID } from "node:crypto";
import { generatePrivateKey } from "viem/accounts";
import { Halcyon } from "@/sdk/client";
import { Receiver } from "@/test/services/receiver";
import { sleep } from "../stack/processes";
import { DELIVERED, refuseSome, type Taken } from "./deliveries";
import { HomeKeyProxies } from "./home-key-proxies";

const PAYERS = 3;
/** The payers that have a blind key, which several processes use. */
const BLIND_FROM = 2;
const PROXIES = 2;
/** Concurrent callers of one account: enough for some of their payments to share a batch. */
const CALLERS = 6;
const STUCK_MS = 600_000;
/** What each payer has at first. */
export const FAUCET = "100000";

/** A payment as its caller requested it, with one idempotency key however often it was sent. */
export interface Payment {
  payer: Payer;
  key: string;
  /** In millionths of a USDG. */
  amount: bigint;
  /** From the first successful response. */
  transferId?: string;
}

export interface Payer {
  handle: string;
  /** Has only the API key, like a merchant's server. */
  client: Halcyon;
  /** Those that pay in turn: the same, or with a blind key by the proxies and with the home key. */
  paying: readonly Halcyon[];
  /** Has the wallet, which decrypts the balance. */
  wallet: Halcyon;
  apiKey: string;
  /** Signs deliveries to its endpoint. */
  secret: string;
  /** Path of its webhook endpoint on the receiver. */
  path: string;
}

const text = (amount: bigint) => `${amount / 1_000_000n}.${String(amount % 1_000_000n).padStart(6, "0")}`;

/**
 * People who pay without pausing, whatever happens to the service, and repeat requests that got no response with the
 * same idempotency key.
 */
export class Load {
  readonly payments: Payment[] = [];
  /** Failures that reached a caller although its client had retried. */
  readonly failures: string[] = [];
  private stopped = false;
  private sent = 0;
  private readonly running: Promise<void>[] = [];

  private constructor(
    readonly url: string,
    readonly recipient: { handle: string; client: Halcyon; apiKey: string },
    readonly payers: Payer[],
    /** Receives every delivery, and is never killed. */
    readonly receiver: Receiver,
    readonly taken: Taken,
    /** Have the home keys, and can be killed. */
    readonly proxies: HomeKeyProxies,
  ) {}

  /** Creates the accounts and starts to pay. */
  static async start(url: string, folder: string, say: (line: string) => void): Promise<Load> {
    const account = async (handle: string) => {
      const client = new Halcyon({ url, walletKey: generatePrivateKey() });
      await client.account.create({ handle });
      return { handle, client };
    };
    // Clients remember who owns a handle, even from an earlier run.
    const run = randomUUID().slice(0, 8);
    const paid = await account(`recipient-${run}`);
    const recipient = { ...paid, apiKey: (await paid.client.keys.create({ label: "kill" })).api_key };
    const payers: Payer[] = [];
    const receiver = await Receiver.start();
    const taken = refuseSome(receiver);
    const proxies = await HomeKeyProxies.at({ url, folder }, PROXIES);
    const homeKeys: string[] = [];
    for (let n = 0; n < PAYERS; n++) {
      const { handle, client } = await account(`payer-${run}-${n}`);
      await client.testHelpers.faucet({ amount: FAUCET });
      await client.balances.makeAvailable();
      const { api_key: apiKey } = await client.keys.create({ label: "kill" });
      const merchant = new Halcyon({ url, apiKey });
      const path = `/${handle}`;
      const { secret } = await merchant.webhooks.create({ url: receiver.url(path), events: DELIVERED });
      let paying = [merchant];
      if (n >= BLIND_FROM) {
        const { api_key: blindKey, home_key: homeKey = "" } = await client.keys.create({ label: "blind", blind: true });
        homeKeys.push(homeKey);
        paying = proxies.urls.map((proxyUrl) => new Halcyon({ url: proxyUrl, apiKey: blindKey }));
        paying.push(new Halcyon({ url, apiKey: blindKey, homeKey }));
      }
      payers.push({ handle, apiKey, client: merchant, paying, wallet: client, path, secret });
    }
    await proxies.use(homeKeys);
    const load = new Load(url, recipient, payers, receiver, taken, proxies);
    for (const payer of payers) for (let n = 0; n < CALLERS; n++) load.running.push(load.payForever(payer));
    say(`${PAYERS} accounts pay, ${CALLERS} callers each`);
    return load;
  }

  /** The number of payments that got a response. */
  get answered(): number {
    return this.payments.filter(({ transferId }) => transferId !== undefined).length;
  }

  /** Waits until this many more payments got a response. */
  async progress(more: number): Promise<void> {
    const wanted = this.answered + more;
    for (const end = Date.now() + STUCK_MS; this.answered < wanted; await sleep(20)) {
      if (Date.now() > end) throw new Error(`payments are stuck: ${this.failures.slice(-5).join("; ")}`);
    }
  }

  /** Starts no more payments and waits for a response to all that were started. */
  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.running);
  }

  /** Ends the processes that are its own. */
  async end(): Promise<void> {
    await Promise.all([this.receiver.stop(), this.proxies.stop()]);
  }

  /** Sends a payment, or repeats it with the same idempotency key, each time by another process that may pay. */
  async send({ payer, key, amount }: Payment): Promise<string> {
    const { handle } = this.recipient;
    const { paying } = payer;
    this.sent += 1;
    const client = paying[this.sent % paying.length] as Halcyon;
    const sent = await client.transfers.create(
      { to: `@${handle}`, amount: text(amount) },
      { idempotencyKey: key, wait: false },
    );
    if (!("transfer_id" in sent)) throw new Error("a payment was held");
    if (sent.transfer_id === null) throw new Error("the service does not list a payment of the chain yet");
    return sent.transfer_id;
  }

  /** Sends a payment until it gets a response; undefined if it never does. */
  async untilAnswered(payment: Payment): Promise<string | undefined> {
    for (const end = Date.now() + STUCK_MS; Date.now() < end; await sleep(200)) {
      try {
        return await this.send(payment);
      } catch (error) {
        this.failures.push(error instanceof Error ? error.message : String(error));
      }
    }
    return undefined;
  }

  private async payForever(payer: Payer): Promise<void> {
    while (!this.stopped) {
      const payment: Payment = { payer, key: randomUUID(), amount: BigInt(randomInt(1, 5_000_000)) };
      this.payments.push(payment);
      payment.transferId = await this.untilAnswered(payment);
      if (payment.transferId === undefined) return;
    }
  }
}
