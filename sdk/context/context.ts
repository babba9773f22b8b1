import type { Address } from "viem";
import type { Scope } from "@/lib/ledger/crypto/scope";
import type { Signer } from "@/lib/ledger/prepare/sign";
import type { Prove } from "@/lib/ledger/prepare/witness";
import { NETWORKS, type Network } from "@/lib/network";
import type { OwnAccount } from "../api/api-types";
import { HalcyonError } from "../api/errors";
import type { Http } from "../api/http";
import { type Asset, assetOf, fetchNetworkInfo, type NetworkInfo } from "../api/network-info";
import { Chain } from "../chain/chain";
import type { Wallet } from "../chain/wallet";
import { Session } from "../session/session";
import type { SessionCalls } from "../session/session-calls";
import { unlock, type Vault } from "../vault/vault";
import type { Pins } from "./pins";
import { requireInForce } from "./spender-in-force";

/** What a client is made of. `nodeContext` fills in what a Node program has. */
export interface ContextOptions {
  http: Http;
  network: Network;
  pins: Pins;
  wallet?: Wallet;
  /** `hc_test_…` or `hc_live_…`. */
  apiKey?: string;
  /** The session routes; a session of the wallet's own, signed in to at first use, when left out. */
  session?: SessionCalls;
  /** JSON-RPC address of your own; the service's recommendation when left out. */
  rpcUrl?: string;
  /** Seconds the service has to carry a call of the wallet before the wallet sends it itself; 120 when left out. */
  relayPatience?: number;
  /** Seconds that what is signed here may wait for a block. */
  expirySeconds?: number;
  /** Loads what makes the proofs, at the first proof. */
  loadProver: () => Promise<Prove>;
}

/** Makes what a command needs when it needs it, each thing once. Runs in Node and in a browser's worker alike. */
export class Context {
  readonly http: Http;
  readonly network: Network;
  readonly pins: Pins;
  private readonly made = new Map<string, Promise<unknown>>();

  constructor(private readonly options: ContextOptions) {
    this.http = options.http;
    this.network = options.network;
    this.pins = options.pins;
  }

  /** How long the service may take to carry a call of the wallet. */
  get relayPatienceMs(): number {
    return 1000 * (this.options.relayPatience ?? 120);
  }

  get hasWallet(): boolean {
    return this.options.wallet !== undefined;
  }

  /** Whether the chain is read over an RPC of the caller's own, not over the one the service names. */
  get hasOwnRpc(): boolean {
    return this.options.rpcUrl !== undefined;
  }

  get hasApiKey(): boolean {
    return this.options.apiKey !== undefined;
  }

  /** The wallet. Throws `unauthorized` when there is none. */
  get wallet(): Wallet {
    const { wallet } = this.options;
    if (wallet) return wallet;
    throw new HalcyonError(
      "unauthorized",
      "This needs the wallet key. Set HALCYON_WALLET_KEY or --wallet-key-file (`halcyon wallet new` makes one).",
    );
  }

  /** Signs ledger calls with the wallet. */
  signer(): Signer {
    const { wallet } = this;
    // The spread gives viem the plain record it wants of any of the ledger's messages.
    return ({ typedData }) => wallet.signTypedData({ ...typedData, message: { ...typedData.message } });
  }

  /** Throws `unauthorized` when there is none, or one of the other network. */
  get apiKey(): string {
    const { apiKey } = this.options;
    const other = NETWORKS.find((network) => network !== this.network && apiKey?.startsWith(`hc_${network}_`));
    if (other) {
      throw new HalcyonError("unauthorized", `This API key is of the ${other} network, not of ${this.network}.`);
    }
    if (apiKey) return apiKey;
    throw new HalcyonError(
      "unauthorized",
      "This needs an API key. Set HALCYON_API_KEY (`halcyon keys create --label x` makes one).",
    );
  }

  get bearer(): Record<string, string> {
    return { authorization: `Bearer ${this.apiKey}` };
  }

  session(): Promise<SessionCalls> {
    const { session } = this.options;
    return this.once("session", async () => session ?? new Session(this.http, this.wallet, this.network));
  }

  info(): Promise<NetworkInfo> {
    return this.once("info", async () => {
      const info = await fetchNetworkInfo(this.http, this.network);
      await this.pins.checkLedger(this.http.baseUrl, info);
      return info;
    });
  }

  async asset(symbol = "USDG"): Promise<Asset> {
    return assetOf(await this.info(), symbol);
  }

  chain(): Promise<Chain> {
    return this.once("chain", async () => {
      const { ledger, rpcUrl } = await this.info();
      const { expirySeconds } = this.options;
      return new Chain(this.options.rpcUrl ?? rpcUrl, ledger.toLowerCase() as Address, expirySeconds);
    });
  }

  /** The ledger as the chain itself shows it; throws when the service describes another. */
  scope(): Promise<Scope> {
    return this.once("scope", async () => {
      const [info, chain] = await Promise.all([this.info(), this.chain()]);
      const scope = await chain.scope();
      if (scope.chainId === info.chainId && scope.domainSalt === info.domainSalt.toLowerCase()) return scope;
      throw new HalcyonError("unavailable", "The service and the chain describe different ledgers. Do not go on.");
    });
  }

  async account(): Promise<OwnAccount> {
    return (await this.session()).get<OwnAccount>("/api/accounts/me");
  }

  /** The account's keys, unlocked with the wallet: viewing key and spender are those of the ledger. */
  vault(): Promise<Vault> {
    return this.once("vault", async () => {
      const [account, scope, chain] = await Promise.all([this.account(), this.scope(), this.chain()]);
      const registered = await chain.viewingKey(this.wallet.address);
      if (!registered || !account.sealed_root) {
        throw new HalcyonError("not_found", `This wallet is not enrolled on the ${this.network} network. Run signup.`);
      }
      const vault = await unlock(this.wallet, scope, account.sealed_root, registered, account.secret_version);
      await requireInForce(this, vault);
      return vault;
    });
  }

  /** Remembers the keys of an account that has just been enrolled here, so that its wallet need not sign again. */
  keepVault(vault: Vault): void {
    this.made.set("vault", Promise.resolve(vault));
  }

  prover(): Promise<Prove> {
    return this.once("prover", this.options.loadProver);
  }

  private once<T>(name: string, make: () => Promise<T>): Promise<T> {
    let made = this.made.get(name) as Promise<T> | undefined;
    if (!made) {
      made = make();
      // A failure is not remembered: the next command of the same client may succeed.
      made.catch(() => this.made.delete(name));
      this.made.set(name, made);
    }
    return made;
  }
}
