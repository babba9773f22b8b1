// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ILedger} from "./interfaces/ILedger.sol";

/// EIP-712 struct hashes, one struct type per function. Ciphertexts enter by their keccak256, as bytes32 fields.
/// @dev Payments are hashed from calldata as it is. Fields narrower than a word are safe so: the ledger reads each of
/// them by name as well, where the compiler refuses bits outside the type.
library StructHashes {
    bytes32 private constant ENROLL_TYPEHASH = keccak256(
        "Enroll(address account,bytes32 viewingKey,address paymentKey,uint64 paymentKeyUntil,bytes32 encryptedAccountKeyHash,uint64 nonce,uint64 deadline)"
    );
    bytes32 private constant SET_PAYMENT_KEY_TYPEHASH = keccak256(
        "SetPaymentKey(address account,address paymentKey,uint64 paymentKeyUntil,uint64 nonce,uint64 deadline)"
    );
    bytes32 private constant SET_GUARDED_TYPEHASH =
        keccak256("SetGuarded(address account,bool guarded,uint64 nonce,uint64 deadline)");
    bytes32 private constant ABANDON_TYPEHASH =
        keccak256("Abandon(address account,address asset,uint256 oldAvailable,uint64 nonce,uint64 deadline)");
    bytes32 private constant ENROLL_AGENT_TYPEHASH =
        keccak256("EnrollAgent(address agent,address owner,uint64 nonce,uint64 deadline)");
    bytes32 private constant SET_AGENT_SIGNER_TYPEHASH = keccak256(
        "SetAgentSigner(address owner,address[] agents,address[] signers,uint64[] policyVersions,uint64 until,uint64 deadline)"
    );
    bytes32 private constant SET_POLICY_TYPEHASH = keccak256(
        "SetPolicy(address account,bool limited,bytes32 recipientsRoot,bytes32 documentHash,address[] assets,uint256[] commitments,uint64 policyVersion,uint64 deadline)"
    );
    bytes32 private constant MAKE_AVAILABLE_TYPEHASH = keccak256(
        "MakeAvailable(address account,address asset,uint256 oldAvailable,uint256 newAvailable,uint256[8] notes,uint64 deposited,uint256 changeNote,bytes32 ciphertextHash,uint64 nonce,uint64 deadline)"
    );
    bytes32 private constant TRANSFER_TYPEHASH = keccak256(
        "Transfer(address account,address to,address asset,uint256 oldAvailable,uint256 newAvailable,uint256 note,bytes32 recipientCiphertextHash,bytes32 payerCiphertextHash,uint64 policyVersion,uint64 deadline)"
    );
    bytes32 private constant RELEASE_TYPEHASH = keccak256(
        "Release(address account,address to,address asset,uint256 oldAvailable,uint256 newAvailable,uint64 amount,bytes32 paymentId,bytes32 payerCiphertextHash,uint64 policyVersion,uint64 deadline)"
    );
    bytes32 private constant SPEND_TYPEHASH = keccak256(
        "Spend(address account,address to,address asset,uint256 oldAvailable,uint256 newAvailable,uint256 note,uint8 mode,uint32 day,uint256 encryptedAmount,bytes32 recipientCiphertextHash,bytes32 payerCiphertextHash,uint64 policyVersion,uint64 deadline)"
    );
    bytes32 private constant SPEND_PUBLIC_TYPEHASH = keccak256(
        "SpendPublic(address account,address to,address asset,uint256 oldAvailable,uint256 newAvailable,uint64 amount,uint8 mode,uint32 day,bytes32 paymentId,bytes32 payerCiphertextHash,uint64 policyVersion,uint64 deadline)"
    );
    bytes32 private constant PAYMENT_TYPEHASH =
        keccak256("Payment(address to,uint256 note,bytes32 recipientCiphertextHash)");
    bytes32 private constant TRANSFER_MANY_TYPEHASH = keccak256(
        "TransferMany(address account,address asset,uint256 oldAvailable,uint256 newAvailable,Payment[] payments,bytes32 payerCiphertextHash,uint64 policyVersion,uint64 deadline)Payment(address to,uint256 note,bytes32 recipientCiphertextHash)"
    );
    bytes32 private constant FUND_TYPEHASH = keccak256(
        "Fund(address from,address to,address asset,uint256 fromOldAvailable,uint256 fromNewAvailable,uint256 toOldAvailable,uint256 toNewAvailable,bytes32 paymentId,bytes32 fromCiphertextHash,bytes32 toCiphertextHash,uint64 deadline)"
    );

    function enroll(ILedger.EnrollParams calldata p) internal pure returns (bytes32) {
        return keccak256(
            abi.encode(
                ENROLL_TYPEHASH,
                p.account,
                p.viewingKey,
                p.paymentKey,
                p.paymentKeyUntil,
                keccak256(p.encryptedAccountKey),
                uint64(0),
                p.deadline
            )
        );
    }

    function setPaymentKey(address account, address paymentKey, uint64 paymentKeyUntil, uint64 nonce, uint64 deadline)
        internal
        pure
        returns (bytes32)
    {
        return keccak256(abi.encode(SET_PAYMENT_KEY_TYPEHASH, account, paymentKey, paymentKeyUntil, nonce, deadline));
    }

    function setGuarded(address account, bool guarded, uint64 nonce, uint64 deadline) internal pure returns (bytes32) {
        return keccak256(abi.encode(SET_GUARDED_TYPEHASH, account, guarded, nonce, deadline));
    }

    function abandon(address account, address asset, uint256 oldAvailable, uint64 nonce, uint64 deadline)
        internal
        pure
        returns (bytes32)
    {
        return keccak256(abi.encode(ABANDON_TYPEHASH, account, asset, oldAvailable, nonce, deadline));
    }

    function enrollAgent(address agent, address owner, uint64 deadline) internal pure returns (bytes32) {
        return keccak256(abi.encode(ENROLL_AGENT_TYPEHASH, agent, owner, uint64(0), deadline));
    }

    function setAgentSigner(ILedger.AgentSignerParams calldata p, uint64[] memory versions)
        internal
        pure
        returns (bytes32)
    {
        return keccak256(
            abi.encode(
                SET_AGENT_SIGNER_TYPEHASH,
                p.owner,
                keccak256(abi.encodePacked(p.agents)),
                keccak256(abi.encodePacked(p.signers)),
                keccak256(abi.encodePacked(versions)),
                p.until,
                p.deadline
            )
        );
    }

    function setPolicy(ILedger.PolicyParams calldata p, uint64 version) internal pure returns (bytes32) {
        return keccak256(
            abi.encode(
                SET_POLICY_TYPEHASH,
                p.account,
                p.limited,
                p.recipientsRoot,
                p.documentHash,
                keccak256(abi.encodePacked(p.assets)),
                keccak256(abi.encodePacked(p.commitments)),
                version,
                p.deadline
            )
        );
    }

    function makeAvailable(ILedger.MakeAvailableParams calldata p, uint256 oldAvailable, uint64 nonce)
        internal
        pure
        returns (bytes32)
    {
        return keccak256(
            abi.encode(
                MAKE_AVAILABLE_TYPEHASH,
                p.account,
                p.asset,
                oldAvailable,
                p.newAvailable,
                keccak256(abi.encodePacked(p.notes)),
                p.deposited,
                p.changeNote,
                _hash(p.ciphertext),
                nonce,
                p.deadline
            )
        );
    }

    function transfer(ILedger.TransferParams calldata p, uint256 oldAvailable, uint64 version)
        internal
        pure
        returns (bytes32 structHash)
    {
        bytes32 typeHash = TRANSFER_TYPEHASH;
        bytes32 recipientHash = _hash(p.recipientCiphertext);
        bytes32 payerHash = _hash(p.payerCiphertext);
        assembly ("memory-safe") {
            let pointer := mload(0x40)
            mstore(pointer, typeHash)
            calldatacopy(add(pointer, 0x20), p, 0x60) // account, to, asset
            mstore(add(pointer, 0x80), oldAvailable)
            calldatacopy(add(pointer, 0xa0), add(p, 0x80), 0x40) // newAvailable, note
            mstore(add(pointer, 0xe0), recipientHash)
            mstore(add(pointer, 0x100), payerHash)
            mstore(add(pointer, 0x120), version)
            mstore(add(pointer, 0x140), calldataload(add(p, 0x60))) // deadline
            structHash := keccak256(pointer, 0x160)
        }
    }

    function release(ILedger.ReleaseParams calldata p, uint256 oldAvailable, uint64 version)
        internal
        pure
        returns (bytes32 structHash)
    {
        bytes32 typeHash = RELEASE_TYPEHASH;
        bytes32 payerHash = _hash(p.payerCiphertext);
        assembly ("memory-safe") {
            let pointer := mload(0x40)
            mstore(pointer, typeHash)
            calldatacopy(add(pointer, 0x20), p, 0x60) // account, to, asset
            mstore(add(pointer, 0x80), oldAvailable)
            calldatacopy(add(pointer, 0xa0), add(p, 0x80), 0x60) // newAvailable, amount, paymentId
            mstore(add(pointer, 0x100), payerHash)
            mstore(add(pointer, 0x120), version)
            mstore(add(pointer, 0x140), calldataload(add(p, 0x60))) // deadline
            structHash := keccak256(pointer, 0x160)
        }
    }

    function spend(ILedger.SpendParams calldata p, uint256 oldAvailable, uint64 version)
        internal
        pure
        returns (bytes32 structHash)
    {
        bytes32 typeHash = SPEND_TYPEHASH;
        bytes32 recipientHash = _hash(p.recipientCiphertext);
        bytes32 payerHash = _hash(p.payerCiphertext);
        assembly ("memory-safe") {
            let pointer := mload(0x40)
            mstore(pointer, typeHash)
            calldatacopy(add(pointer, 0x20), p, 0x60) // account, to, asset
            mstore(add(pointer, 0x80), oldAvailable)
            calldatacopy(add(pointer, 0xa0), add(p, 0xe0), 0x40) // newAvailable, note
            calldatacopy(add(pointer, 0xe0), add(p, 0x60), 0x60) // mode, day, encryptedAmount
            mstore(add(pointer, 0x140), recipientHash)
            mstore(add(pointer, 0x160), payerHash)
            mstore(add(pointer, 0x180), version)
            mstore(add(pointer, 0x1a0), calldataload(add(p, 0xc0))) // deadline
            structHash := keccak256(pointer, 0x1c0)
        }
    }

    function spendPublic(ILedger.SpendPublicParams calldata p, uint256 oldAvailable, uint64 version)
        internal
        pure
        returns (bytes32 structHash)
    {
        bytes32 typeHash = SPEND_PUBLIC_TYPEHASH;
        bytes32 payerHash = _hash(p.payerCiphertext);
        assembly ("memory-safe") {
            let pointer := mload(0x40)
            mstore(pointer, typeHash)
            calldatacopy(add(pointer, 0x20), p, 0x60) // account, to, asset
            mstore(add(pointer, 0x80), oldAvailable)
            calldatacopy(add(pointer, 0xa0), add(p, 0xc0), 0x40) // newAvailable, amount
            calldatacopy(add(pointer, 0xe0), add(p, 0x80), 0x40) // mode, day
            mstore(add(pointer, 0x120), calldataload(add(p, 0x100))) // paymentId
            mstore(add(pointer, 0x140), payerHash)
            mstore(add(pointer, 0x160), version)
            mstore(add(pointer, 0x180), calldataload(add(p, 0x60))) // deadline
            structHash := keccak256(pointer, 0x1a0)
        }
    }

    function transferMany(
        ILedger.TransferManyParams calldata p,
        uint256 oldAvailable,
        bytes32 paymentsHash,
        uint64 version
    ) internal pure returns (bytes32) {
        return keccak256(
            abi.encode(
                TRANSFER_MANY_TYPEHASH,
                p.account,
                p.asset,
                oldAvailable,
                p.newAvailable,
                paymentsHash,
                keccak256(abi.encodePacked(p.payerCiphertext)),
                version,
                p.deadline
            )
        );
    }

    /// Of one payment in the list of `transferMany`.
    function payment(ILedger.Payment calldata p) internal pure returns (bytes32 structHash) {
        bytes32 typeHash = PAYMENT_TYPEHASH;
        bytes32 ciphertextHash = _hash(p.recipientCiphertext);
        assembly ("memory-safe") {
            let pointer := mload(0x40)
            mstore(pointer, typeHash)
            calldatacopy(add(pointer, 0x20), p, 0x40) // to, note
            mstore(add(pointer, 0x60), ciphertextHash)
            structHash := keccak256(pointer, 0x80)
        }
    }

    /// Of a list of structs, from their hashes.
    function list(bytes32[] memory hashes) internal pure returns (bytes32 hash) {
        assembly ("memory-safe") {
            hash := keccak256(add(hashes, 0x20), shl(5, mload(hashes)))
        }
    }

    function fund(ILedger.FundParams calldata p, uint256 fromOldAvailable, uint256 toOldAvailable)
        internal
        pure
        returns (bytes32 structHash)
    {
        bytes32 typeHash = FUND_TYPEHASH;
        bytes32 fromHash = _hash(p.fromCiphertext);
        bytes32 toHash = _hash(p.toCiphertext);
        assembly ("memory-safe") {
            let pointer := mload(0x40)
            mstore(pointer, typeHash)
            calldatacopy(add(pointer, 0x20), p, 0x60) // from, to, asset
            mstore(add(pointer, 0x80), fromOldAvailable)
            mstore(add(pointer, 0xa0), calldataload(add(p, 0x80))) // fromNewAvailable
            mstore(add(pointer, 0xc0), toOldAvailable)
            calldatacopy(add(pointer, 0xe0), add(p, 0xa0), 0x40) // toNewAvailable, paymentId
            mstore(add(pointer, 0x120), fromHash)
            mstore(add(pointer, 0x140), toHash)
            mstore(add(pointer, 0x160), calldataload(add(p, 0x1e0))) // deadline
            structHash := keccak256(pointer, 0x180)
        }
    }

    function _hash(bytes32[4] calldata words) private pure returns (bytes32 hash) {
        assembly ("memory-safe") {
            let pointer := mload(0x40)
            calldatacopy(pointer, words, 0x80)
            hash := keccak256(pointer, 0x80)
        }
    }
}
