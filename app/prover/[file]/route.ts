import { workerScript } from "@/lib/prover/worker-script";

export const dynamic = "force-dynamic";

/** Serves the script of the browser's prover. */
export const GET = workerScript("lib/prover/browser-worker.ts");
