/**
 * Node's flags for each process of the service. A request produces hundreds of kilobytes of garbage. With four times
 * Node's default of 16 MB for new objects, far more of it is dead before V8 has to collect (bench/README.md).
 */
export const NODE_FLAGS = ["--max-semi-space-size=64"] as const;
