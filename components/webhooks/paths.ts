/** Where the webhooks of a network are listed. */
export function webhooksPath(network: string): string {
  return `/${network}/developers/webhooks`;
}

/** Below which each delivery has its page. */
export function deliveriesPath(network: string): string {
  return `${webhooksPath(network)}/deliveries`;
}
