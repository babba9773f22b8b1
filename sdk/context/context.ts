import { type Address, isAddressEqual } from "viem";
import type { Network } from "@/lib/base/network";
import { DecryptionFailed } from "@/lib/ledger/crypto/errors";
import type { Scope } from "@/lib/ledger/crypto/scope";
import type { ViewingCredential } from "@/lib/ledger/encrypted/viewing-key";
import type { Signer } from "@/lib/ledger/prepare/key-signer";
import { walletSigner } from "@/lib/ledger/prepare/signature";
import type { CircuitName, Prove } from "@/lib/ledger/prepare/witness";
import type { Prover } from "@/lib/prover/prover";
import { AbortableCall } from "../api/abortable-call";
import type { OwnAccount } from "../api/api-types";
import type { Call } from "../api/call";
import type { CallOptions } from "../api/call-options";
import { checkApiKey } from "../api/check-api-key";
import { HalcyonError } from "../api/errors";
import type { Http } from "../api/http";
import {
  type Asset,
  assetOf,
  fetchNetworkInfo,
  type NetworkDocument,
  type NetworkInfo,
  readNetworkInfo,
} from "../api/network-info";
import { type Shared, share } from "../api/share";
import { Chain } from "../chain/chain";
import { requireOnChain } from "../chain/chain-assets";
import type { Wallet } from "../chain/wallet";
import type { Pins } from "./pins";
import { requireInForce } from "./require-in-force";
import { Session } from "./session/session";
import type { SessionCalls } from "./session/session-calls";
import { needsRecoveryCode, unlock, type Vault } from "./vault/vault";
import { readOnlyRefusal } from "./viewing/read-only-http";
import { requireOwnViewer, type Viewer } from "./viewing/viewer";

/** Creates and verifies proofs. */
export type ProofMachine = Pick<Prover, "prove" | "verify" | "loadAhead">;

/** The parts of a client. `nodeContext` adds those of a Node program. */
export interface ContextOptions {
  http: Http;
  network: Network;
  pins: Pins;
  wallet?: Wallet | undefined;
  /** `hc_test_…` or `hc_live_…`. */
  apiKey?: string | undefined;
  /** `hch_test_…` or `hch_live_…`, beside a blind API key. */
  homeKey?: string | undefined;
  /** Decrypts the account's key instead of the wallet's signature, for a contract wallet. */
  recoveryCode?: string | undefined;
  /** Decrypts amounts without the wallet. */
  viewing?: ViewingCredential | undefined;
  /** The session routes. Default: a session that signs in with the wallet at first use. */
  session?: SessionCalls;
  /** The service's description of the network, if a page that it rendered already contains it. */
  described?: NetworkDocument | undefined;
  /** JSON-RPC address of your own node. Default: the one the service recommends. */
  rpcUrl?: string | undefined;
  /** Seconds the service has to send a call of the wallet before the wallet sends it itself. Default: 120. */
  relayPatience?: number | undefined;
  /** Seconds that a document signed here may wait for a block. */
  expirySeconds?: number;
  /** Loads the code that creates and verifies proofs, when it is first needed. */
  loadProver: () => Promise<ProofMachine>;
  /** Called before each proof; what it returns is called after it. */
  onProof?: ((circuit: CircuitName) => (() => void) | undefined) | undefined;
}

/** Creates the parts of a client on demand, each once. Runs in Node and in a browser's worker. */
export class Context {
  readonly http: Http;
  readonly network: Network;
  readonly pins: Pins;
  /** The limits for the requests and waits of this call, or of all calls of the client. */
  readonly call: Call;
  private chainOfCall: Chain | undefined;

  constructor(
    private readonly options: ContextOptions,
    call: Call = options.http.call,
    private readonly made = new Map<string, Shared<unknown>>(),
  ) {
    this.call = call;
    this.http = options.http.within(call);
    this.network = options.network;
    this.pins = options.pins;
  }

  /** Returns the same client for one call with its own options. */
  within(options: CallOptions | undefined): Context {
    if (options === undefined) return this;
    return new Context(this.options, new AbortableCall(options, this.call), this.made);
  }

  /** How long the service may take to send a call of the wallet. */
  get relayPatienceMs(): number {
    return 1000 * (this.options.relayPatience ?? 120);
  }

  get hasWallet(): boolean {
    return this.options.wallet !== undefined;
  }

  /** Whether the chain is read over the caller's own RPC, not the one that the service recommends. */
  get hasOwnRpc(): boolean {
    return this.options.rpcUrl !== undefined;
  }

  get hasApiKey(): boolean {
    return this.options.apiKey !== undefined;
  }

  /** Whether amounts are decrypted with a viewing key instead of the wallet. */
  get isViewOnly(): boolean {
    return this.options.viewing !== undefined;
  }

  /**
   * The wallet.
   *
   * @throws HalcyonError `unauthorized` when there is none, `key_forbidden` for a client that only reads
   */
  get wallet(): Wallet {
    const { wallet } = this.options;
    if (wallet) return wallet;
    if (this.isViewOnly) throw readOnlyRefusal();
    throw new HalcyonError("unauthorized", "This needs the wallet. Create the client with walletKey or wallet.", {
      param: "walletKey",
    });
  }

  /** Decrypts the account's key instead of the wallet's signature. */
  get recoveryCode(): string | undefined {
    return this.options.recoveryCode;
  }

  /** Reports whether the wallet is a contract, whose signers may take their time. */
  async isContract(): Promise<boolean> {
    const { address, isContract } = this.wallet;
    if (isContract !== undefined) return isContract;
    return this.once("contract", async () => (await this.chain()).isContract(address));
  }

  /** Returns a signer of ledger calls for the wallet, whether it is a key or a contract. */
  signer(): Signer {
    const { wallet } = this;
    // The spread creates the plain record that viem expects.
    return walletSigner(wallet.address, (data) => wallet.signTypedData({ ...data, message: { ...data.message } }));
  }

  /**
   * The API key.
   *
   * @throws HalcyonError `unauthorized` when there is none, or it is for the other network
   */
  get apiKey(): string {
    return checkApiKey(this.options.apiKey, this.network);
  }

  /** The home key of a blind API key. It never leaves this machine. */
  get homeKey(): string | undefined {
    return this.options.homeKey;
  }

  get bearer(): Record<string, string> {
    return { authorization: `Bearer ${this.apiKey}` };
  }

  async session(): Promise<SessionCalls> {
    const { session } = this.options;
    const own = await this.once("session", async () => session ?? new Session(this.http, this.wallet, this.network));
    return own.over(this.http);
  }

  /** Returns the service's description of the network, whose ledger is the one that this machine has pinned. */
  private described(): Promise<NetworkInfo> {
    return this.once("described", async () => {
      const { described } = this.options;
      const info = described
        ? readNetworkInfo(this.http, this.network, described)
        : await fetchNetworkInfo(this.http, this.network);
      await this.pins.checkLedger(this.http.baseUrl, info);
      return info;
    });
  }

  /**
   * Returns the description of the network, after comparing ledger and assets with the chain and with this machine's
   * pins, with the strictest finality that they hold. The chain is read once, in one request together with the scope.
   *
   * @throws HalcyonError `unavailable` that says what differs; PinMismatch
   */
  info(): Promise<NetworkInfo> {
    return this.once("info", async () => {
      const [info, chain] = await Promise.all([this.described(), this.chain()]);
      await Promise.all([requireOnChain(chain, info.assets), this.scope()]);
      await this.pins.checkAssets(this.http.baseUrl, info);
      return { ...info, finality: await this.pins.strictestFinality(this.http.baseUrl, info) };
    });
  }

  async asset(symbol = "USDG"): Promise<Asset> {
    return assetOf(await this.info(), symbol);
  }

  async chain(): Promise<Chain> {
    const { ledger, rpcUrl } = await this.described();
    const { expirySeconds } = this.options;
    this.chainOfCall ??= new Chain(
      this.options.rpcUrl ?? rpcUrl,
      ledger.toLowerCase() as Address,
      expirySeconds,
      this.call,
    );
    return this.chainOfCall;
  }

  /**
   * Returns the ledger's scope, read from the chain.
   *
   * @throws HalcyonError `unavailable` when the service describes a different ledger
   */
  scope(): Promise<Scope> {
    return this.once("scope", async () => {
      const [info, chain] = await Promise.all([this.described(), this.chain()]);
      const scope = await chain.scope();
      if (scope.chainId === info.chainId && scope.domainSalt === info.domainSalt.toLowerCase()) return scope;
      throw new HalcyonError("unavailable", "The service and the chain describe different ledgers. Do not go on.");
    });
  }

  /**
   * Checks on chain that an address is an agent of the wallet. The owner can never change, so each agent is checked
   * only once.
   *
   * @param handle for the message
   * @throws HalcyonError `unavailable` when the ledger does not show it as the wallet's agent
   */
  requireOwnAgent(agent: Address, handle: string): Promise<void> {
    return this.once(`agent ${agent}`, async () => {
      const { owner } = await (await this.chain()).account(agent);
      if (isAddressEqual(owner, this.wallet.address)) return;
      throw new HalcyonError("unavailable", `The ledger does not have ${handle} as your agent yet. Try again soon.`);
    });
  }

  async account(): Promise<OwnAccount> {
    return (await this.session()).get<OwnAccount>("/v1/accounts/me", { include: "ledger" });
  }

  /**
   * Returns the keys that decrypt amounts and memos: the given viewing key, after comparing it with the ledger, or else
   * the wallet's.
   *
   * @throws HalcyonError `invalid_request` for a viewing key of another account or ledger
   */
  viewer(): Promise<Viewer> {
    return this.once("viewer", async () => {
      const { viewing } = this.options;
      if (!viewing) {
        const { viewingKey } = await this.vault();
        return { account: this.wallet.address.toLowerCase() as Address, viewingKey };
      }
      const me = this.hasApiKey && this.http.send("GET", "/v1/accounts/me", { headers: this.bearer });
      const [chain, whoami] = await Promise.all([this.chain(), me, this.scope()]);
      const { public_key: caller } = (whoami ? whoami.body : {}) as { public_key?: Address };
      await requireOwnViewer(chain, viewing, caller);
      return viewing;
    });
  }

  /** A key that decrypts payments awaiting approval but can't approve them; null without a viewing key. */
  get heldReader(): Uint8Array | null {
    return this.options.viewing?.held.secret ?? null;
  }

  /**
   * Returns the account's keys, unlocked with the wallet. The viewing key and payment key are compared with the ledger.
   */
  vault(): Promise<Vault> {
    return this.once("vault", async () => {
      const reading = this.chain().then((chain) => chain.viewingKey(this.wallet.address));
      const [account, scope, registered] = await Promise.all([this.account(), this.scope(), reading]);
      if (!registered || !account.encrypted_account_key) {
        throw new HalcyonError("not_found", `This wallet is not enrolled on the ${this.network} network. Run signup.`);
      }
      const { encrypted_account_key: encrypted, secret_version: version } = account;
      const unlocked = unlock(this.wallet, scope, encrypted, registered, version, this.recoveryCode);
      const vault = await unlocked.catch(async (error: unknown) => {
        const byWallet = error instanceof DecryptionFailed && this.recoveryCode === undefined;
        throw byWallet && (await this.isContract()) ? needsRecoveryCode() : error;
      });
      await requireInForce(this, vault);
      return vault;
    });
  }

  /** Keeps the keys of an account that was just enrolled here, so that its wallet need not sign again. */
  keepVault(vault: Vault): void {
    this.made.set("vault", { work: Promise.resolve(vault) });
  }

  /** Keeps keys that were already compared with the ledger, so that decrypting amounts doesn't need the wallet. */
  keepViewer(viewer: Viewer): void {
    this.made.set("viewer", { work: Promise.resolve(viewer) });
  }

  /** Returns a function that creates proofs. An aborted call doesn't wait for a running proof. */
  async prover(): Promise<Prove> {
    const machine = await this.once("prover", this.options.loadProver);
    return async (circuit, input) => {
      const done = this.options.onProof?.(circuit);
      try {
        return await this.call.whileWanted(machine.prove(circuit, input));
      } finally {
        done?.();
      }
    };
  }

  /** Loads what proofs of a circuit need before the first one. */
  async loadCircuit(circuit: CircuitName): Promise<void> {
    await (await this.once("prover", this.options.loadProver)).loadAhead?.(circuit);
  }

  /** Returns a function that verifies proofs. An aborted call doesn't wait for a running verification. */
  async verifier(): Promise<ProofMachine["verify"]> {
    const machine = await this.once("prover", this.options.loadProver);
    return (circuit, proof, signals) => this.call.whileWanted(machine.verify(circuit, proof, signals));
  }

  /** Creates a value once for all calls of the client. */
  once<T>(name: string, make: () => Promise<T>): Promise<T> {
    const shared = (this.made.get(name) ?? {}) as Shared<T>;
    this.made.set(name, shared);
    return share(this.call, shared, make);
  }
}
