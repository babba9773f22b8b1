import type { ActToSign } from "@/components/wallet/signing-for";

/** A rotation, for the dialogs of its signatures: each struct is also signed for something else. */
export const ROTATION: ActToSign = {
  types: ["SetPaymentKey", "SetAgentSigner", "MakeAvailable"],
  facts: [],
  purposes: {
    SetPaymentKey: {
      title: "Replace the payment key",
      sentence: "This makes the next payment key the only one. The old one signs nothing any more. It moves nothing.",
    },
    MakeAvailable: {
      title: "Encrypt a balance again",
      sentence:
        "This encrypts an available balance under the next account secret. The amount stays as it is; nothing is paid.",
    },
  },
};
