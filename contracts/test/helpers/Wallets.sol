// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ILedger} from "../../src/interfaces/ILedger.sol";

// ERC-1271: what a contract returns when a signature is its own.
bytes4 constant MAGIC = 0x1626ba7e;

/// A wallet that one key signs for, as smart accounts do: over the ledger's digest, in 65 bytes.
contract KeyWallet {
    address private immutable key;

    constructor(address key_) {
        key = key_;
    }

    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) {
        (bytes32 r, bytes32 s, uint8 v) =
            (bytes32(signature[0:32]), bytes32(signature[32:64]), uint8(signature[64]));
        return ecrecover(digest, v, r, s) == key ? MAGIC : bytes4(0xffffffff);
    }
}

/// Returns bytes of any length, or reverts with them.
contract FixedWallet {
    bytes private content;
    bool private reverts;

    constructor(bytes memory content_, bool reverts_) {
        (content, reverts) = (content_, reverts_);
    }

    function isValidSignature(bytes32, bytes calldata) external view {
        bytes memory data = content;
        bool fails = reverts;
        assembly {
            if fails { revert(add(data, 0x20), mload(data)) }
            return(add(data, 0x20), mload(data))
        }
    }
}

/// Uses all the gas it is given.
contract BurningWallet {
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) {
        while (true) {}
        return MAGIC;
    }
}

/// Says yes once, and no from then on, as its owner decides in between.
contract MoodyWallet {
    bool public no;

    function turn() external {
        no = true;
    }

    function isValidSignature(bytes32, bytes calldata) external view returns (bytes4) {
        return no ? bytes4(0) : MAGIC;
    }
}

/// Tries to remember that it was asked, which a static call does not let it.
contract WritingWallet {
    uint256 public asked;

    function isValidSignature(bytes32, bytes calldata) external returns (bytes4) {
        ++asked;
        return MAGIC;
    }
}

/// Calls the ledger while it is asked: reads its available balance, and tries to act.
contract ReenteringWallet {
    ILedger private immutable ledger;
    bytes private inner;

    constructor(ILedger ledger_) {
        ledger = ledger_;
    }

    function setInner(bytes calldata inner_) external {
        inner = inner_;
    }

    function isValidSignature(bytes32, bytes calldata) external returns (bytes4) {
        if (ledger.account(address(this)).viewingKey == 0) return 0;
        (bool acted,) = address(ledger).call(inner);
        return acted ? bytes4(0) : MAGIC;
    }
}
