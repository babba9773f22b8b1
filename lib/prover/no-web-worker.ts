/**
 * Stands in for the package "web-worker" in the bundles of the prover's workers: ffjavascript imports it for threads
 * of its own, which are never started here, and inside a worker thread its Node half takes the thread for its own.
 */
export default class NoWebWorker {
  constructor() {
    throw new Error("the prover starts its own threads");
  }
}
