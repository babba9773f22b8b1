/**
 * What Node is given for each process of the service. A request leaves garbage behind by the hundred kilobytes: with four
 * times as much room for new objects as Node's 16 MB, far more of it is gone before V8 has to look (bench/README.md).
 */
export const NODE_FLAGS = ["--max-semi-space-size=64"] as const;
