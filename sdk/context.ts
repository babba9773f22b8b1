import type { Address, Hex, LocalAccount } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import type { Scope } from "@/lib/ledger/scope";
import type { Signer } from "@/lib/ledger/sign";
import type { Prove } from "@/lib/ledger/witness";
import { NETWORKS, type Network } from "@/lib/network";
import type { OwnAccount } from "./api-types";
import { Chain } from "./chain";
import { configDir } from "./config-dir";
import { HalcyonError } from "./errors";
import { Http } from "./http";
import { type Asset, assetOf, fetchNetworkInfo, type NetworkInfo } from "./network-info";
import { Pins } from "./pins";
import { Session } from "./session";
import { unlock, type Vault } from "./vault";

export interface HalcyonOptions {
  /** Address of the service; http://localhost:3000 when left out. */
  url?: string;
  /** `test` (chain 46630) when left out. */
  network?: Network;
  /** The wallet's private key: 0x and 64 hex digits. Never leaves the process. */
  walletKey?: Hex;
  /** `hc_test_…` or `hc_live_…`. */
  apiKey?: string;
  /** JSON-RPC address of your own; the service's recommendation when left out. */
  rpcUrl?: string;
  /** Where handles are pinned; see `configDir`. */
  configDir?: string;
  /** For tests and proxies. */
  fetch?: typeof fetch;
  /** Makes the proofs; this machine's prover when left out. */
  prove?: Prove;
}

export const DEFAULT_URL = "http://localhost:3000";

/** Makes what a command needs when it needs it, each thing once. */
export class Context {
  readonly http: Http;
  readonly network: Network;
  readonly pins: Pins;
  private readonly made = new Map<string, Promise<unknown>>();

  constructor(private readonly options: HalcyonOptions) {
    this.http = new Http(options.url ?? DEFAULT_URL, options.fetch);
    this.network = options.network ?? "test";
    this.pins = new Pins(options.configDir ?? configDir());
  }

  get hasWallet(): boolean {
    return this.options.walletKey !== undefined;
  }

  get hasApiKey(): boolean {
    return this.options.apiKey !== undefined;
  }

  /** The wallet. Throws `unauthorized` when no key was given. */
  get wallet(): LocalAccount {
    const { walletKey } = this.options;
    if (!walletKey) {
      throw new HalcyonError(
        "unauthorized",
        "This needs the wallet key. Set HALCYON_WALLET_KEY or --wallet-key-file (`halcyon wallet new` makes one).",
      );
    }
    return privateKeyToAccount(walletKey);
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

  session(): Promise<Session> {
    return this.once("session", async () => new Session(this.http, this.wallet, this.network));
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
      return new Chain(this.options.rpcUrl ?? rpcUrl, ledger.toLowerCase() as Address);
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

  /** The account's keys, unlocked with the wallet and compared with the ledger. */
  vault(): Promise<Vault> {
    return this.once("vault", async () => {
      const [account, scope, chain] = await Promise.all([this.account(), this.scope(), this.chain()]);
      const registered = await chain.viewingKey(this.wallet.address);
      if (!registered || !account.sealed_root) {
        throw new HalcyonError("not_found", `This wallet is not enrolled on the ${this.network} network. Run signup.`);
      }
      return unlock(this.wallet, scope, account.sealed_root, registered, account.secret_version);
    });
  }

  /** The prover of this machine, loaded at the first proof. */
  prover(): Promise<Prove> {
    return this.once(
      "prover",
      async () => this.options.prove ?? (await import("@/lib/prover/local")).createLocalProver().prove,
    );
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
