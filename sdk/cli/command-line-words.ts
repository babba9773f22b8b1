/** Phrases in the messages of the SDK and the service that name their options, each with what the command line says. */
export const COMMAND_LINE_WORDS: readonly (readonly [string, string])[] = [
  ["Check that it runs, and the option url.", 'Start it with "npm start", or name another with --url or HALCYON_URL.'],
  ["Check the option url.", "Check --url."],
  ["(option url)", "(--url)"],
  ["(option timeout)", "(--timeout)"],
  ["Check the RPC address (option rpcUrl).", "Check its RPC address (--rpc, HALCYON_RPC_URL)."],
  ["(option rpcUrl)", "(--rpc, HALCYON_RPC_URL)"],
  [
    "This needs the wallet. Create the client with walletKey or wallet.",
    "This needs the wallet key. Set HALCYON_WALLET_KEY or --wallet-key-file (`halcyon wallet new` makes one).",
  ],
  ["Create the client with the option apiKey.", "Set HALCYON_API_KEY (`halcyon keys create --label x` makes one)."],
  ["The call was aborted by its signal.", "You stopped the command. What it had sent already may still happen."],
  ["Send a public payment (`public: true`),", "Send with --public,"],
  [
    "Send publicly with `confidential: false`.",
    "Use `halcyon send --public`, which shows the amount to everyone. A payout pays confidentially only.",
  ],
  ["Leave out `confidential`.", "Leave out --public."],
  ["Leave out `confidential`, or send `true`.", "Leave out --public."],
  ["List yours with GET /v1/webhooks.", "`halcyon webhooks list` shows yours."],
  ["List yours with GET /v1/events.", "`halcyon events` shows yours."],
  ["List yours with GET /v1/schedules.", "`halcyon schedules list` shows yours."],
  ["GET /v1/transfers with this refund_of", "`halcyon transfers`, and count the refunds of this payment"],
  ["GET /v1/transfers", "`halcyon transfers`"],
  ["is a Date, or a time as a text such as", "is a time such as"],
  ["timeZone is the name", "--time-zone is the name"],
  ["Swap `from` and `to`.", "Swap --from and --to."],
  ["(x402.price, --dry-run)", "(--dry-run)"],
];

const ADDRESS = /^(to|ledger|account|rpc) (is not an address)/;

/** Rewrites a message of the SDK for someone at a command line. */
export function inCommandLineWords(message: string): string {
  const text = COMMAND_LINE_WORDS.reduce((said, [ours, theirs]) => said.replaceAll(ours, theirs), message);
  return text.replace(ADDRESS, "--$1 $2");
}
