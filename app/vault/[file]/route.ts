import { workerScript } from "@/lib/prover/worker-script";

export const dynamic = "force-dynamic";

/** Serves the script of the worker that holds an unlocked account's keys. */
export const GET = workerScript("components/vault/worker.ts");
