// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// Takes every proof of every circuit: what the ledger refuses in front of it, it refuses whatever a prover can do.
contract AnyVerifier {
    fallback(bytes calldata) external returns (bytes memory) {
        return abi.encode(true);
    }
}

/// Takes every proof, with a byte too few.
contract ShortVerifier {
    fallback(bytes calldata) external returns (bytes memory) {
        return new bytes(31);
    }
}
