import { type ChildProcess, fork } from "node:child_process";

/** A payment a server shall make. `at` is the time an agent's policy takes it for, in milliseconds since 1970. */
export interface PaymentOrder {
  id: number;
  apiKey: string;
  to: string;
  amount: string;
  at: number;
}

/** How it ended: `paid`, `held`, a policy's reason, an error code, or `killed`. */
export interface PaymentAnswer {
  id: number;
  outcome: string;
}

/** One of several server processes on the test's own services. */
export class PayingServer {
  private readonly child: ChildProcess;
  private readonly waiting = new Map<number, (outcome: string) => void>();
  private orders = 0;

  constructor() {
    const env = { ...process.env, NODE_OPTIONS: "" };
    this.child = fork("scripts/testing/paying-process.ts", { env, execArgv: ["--import", "tsx"], stdio: "inherit" });
    this.child.on("message", ({ id, outcome }: PaymentAnswer) => this.finish(id, outcome));
    this.child.on("exit", () => {
      for (const id of [...this.waiting.keys()]) this.finish(id, "killed");
    });
  }

  /** Has the server pay; answers how that ended. */
  pay(order: Omit<PaymentOrder, "id">): Promise<string> {
    const id = this.orders++;
    return new Promise((resolve) => {
      this.waiting.set(id, resolve);
      this.child.send({ ...order, id } satisfies PaymentOrder);
    });
  }

  /** Ends it wherever it is. */
  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = new Promise((resolve) => this.child.once("exit", resolve));
    this.child.kill("SIGKILL");
    await gone;
  }

  private finish(id: number, outcome: string): void {
    this.waiting.get(id)?.(outcome);
    this.waiting.delete(id);
  }
}
