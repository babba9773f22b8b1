/** Phrases in the SDK's messages that name its options, each with what to say on the command line. */
export const COMMAND_LINE_WORDS: readonly (readonly [string, string])[] = [
  ["Check that it runs, and the option url.", 'Start it with "npm start", or name another with --url or HALCYON_URL.'],
  ["Check the option url.", "Check --url."],
  ["(option url)", "(--url)"],
  ["(option timeout)", "(--timeout)"],
  ["Check the RPC address (option rpcUrl).", "Check its RPC address (--rpc, HALCYON_RPC_URL)."],
  ["(option rpcUrl)", "(--rpc, HALCYON_RPC_URL)"],
  [
    "This needs the wallet. Create the client with the option walletKey or wallet.",
    "This needs the wallet key. Set HALCYON_WALLET_KEY or --wallet-key-file (`halcyon wallet new` makes one).",
  ],
  ["Create the client with the option apiKey.", "Set HALCYON_API_KEY (`halcyon keys create --label x` makes one)."],
  ["The call was aborted by its signal.", "You stopped the command. What it had sent already may still happen."],
  ["Send a public payment (`public: true`),", "Send with --public,"],
];

const ADDRESS = /^(to|ledger|account|rpc) (is not an address)/;

/** Rewrites a message of the SDK for someone at a command line. */
export function inCommandLineWords(message: string): string {
  const text = COMMAND_LINE_WORDS.reduce((said, [ours, theirs]) => said.replaceAll(ours, theirs), message);
  return text.replace(ADDRESS, "--$1 $2");
}
