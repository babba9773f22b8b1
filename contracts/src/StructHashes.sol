// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ILedger} from "./interfaces/ILedger.sol";

/// EIP-712 struct hashes, one struct type per function. Ciphertexts enter by their keccak256, as bytes32 fields.
library StructHashes {
    bytes32 private constant ENROLL_TYPEHASH = keccak256(
        "Enroll(address account,bytes32 viewingKey,address spender,uint64 spenderUntil,bytes32 sealedRootHash,uint64 nonce,uint64 deadline)"
    );
    bytes32 private constant SET_SPENDER_TYPEHASH =
        keccak256("SetSpender(address account,address spender,uint64 spenderUntil,uint64 nonce,uint64 deadline)");
    bytes32 private constant SET_GUARDED_TYPEHASH =
        keccak256("SetGuarded(address account,bool guarded,uint64 nonce,uint64 deadline)");
    bytes32 private constant ABANDON_TYPEHASH =
        keccak256("Abandon(address account,address asset,uint256 oldBudget,uint64 nonce,uint64 deadline)");
    bytes32 private constant ENROLL_AGENT_TYPEHASH =
        keccak256("EnrollAgent(address agent,address owner,uint64 nonce,uint64 deadline)");
    bytes32 private constant SET_AGENT_SIGNER_TYPEHASH = keccak256(
        "SetAgentSigner(address owner,address[] agents,address[] signers,uint64[] policyVersions,uint64 until,uint64 deadline)"
    );
    bytes32 private constant SET_POLICY_TYPEHASH = keccak256(
        "SetPolicy(address account,bool ruled,bytes32 recipientsRoot,bytes32 documentHash,address[] assets,uint256[] words,uint64 policyVersion,uint64 deadline)"
    );
    bytes32 private constant ALLOCATE_TYPEHASH = keccak256(
        "Allocate(address account,address asset,uint256 oldBudget,uint256 newBudget,uint256[8] notes,uint64 credit,uint256 changeNote,bytes32 ciphertextHash,uint64 nonce,uint64 deadline)"
    );
    bytes32 private constant TRANSFER_TYPEHASH = keccak256(
        "Transfer(address account,address to,address asset,uint256 oldBudget,uint256 newBudget,uint256 note,bytes32 recipientCiphertextHash,bytes32 payerCiphertextHash,uint64 policyVersion,uint64 deadline)"
    );
    bytes32 private constant RELEASE_TYPEHASH = keccak256(
        "Release(address account,address to,address asset,uint256 oldBudget,uint256 newBudget,uint64 amount,bytes32 paymentId,bytes32 payerCiphertextHash,uint64 policyVersion,uint64 deadline)"
    );
    bytes32 private constant SPEND_TYPEHASH = keccak256(
        "Spend(address account,address to,address asset,uint256 oldBudget,uint256 newBudget,uint256 note,uint8 mode,uint32 day,uint256 sealedAmount,bytes32 recipientCiphertextHash,bytes32 payerCiphertextHash,uint64 policyVersion,uint64 deadline)"
    );
    bytes32 private constant SPEND_PUBLIC_TYPEHASH = keccak256(
        "SpendPublic(address account,address to,address asset,uint256 oldBudget,uint256 newBudget,uint64 amount,uint8 mode,uint32 day,bytes32 paymentId,bytes32 payerCiphertextHash,uint64 policyVersion,uint64 deadline)"
    );
    bytes32 private constant PAYMENT_TYPEHASH =
        keccak256("Payment(address to,uint256 note,bytes32 recipientCiphertextHash)");
    bytes32 private constant TRANSFER_MANY_TYPEHASH = keccak256(
        "TransferMany(address account,address asset,uint256 oldBudget,uint256 newBudget,Payment[] payments,bytes32 payerCiphertextHash,uint64 policyVersion,uint64 deadline)Payment(address to,uint256 note,bytes32 recipientCiphertextHash)"
    );
    bytes32 private constant FUND_TYPEHASH = keccak256(
        "Fund(address from,address to,address asset,uint256 fromOldBudget,uint256 fromNewBudget,uint256 toOldBudget,uint256 toNewBudget,bytes32 paymentId,bytes32 fromCiphertextHash,bytes32 toCiphertextHash,uint64 deadline)"
    );

    function enroll(ILedger.EnrollParams calldata p) internal pure returns (bytes32) {
        return keccak256(
            abi.encode(
                ENROLL_TYPEHASH,
                p.account,
                p.viewingKey,
                p.spender,
                p.spenderUntil,
                _hash(p.sealedRoot),
                uint64(0),
                p.deadline
            )
        );
    }

    function setSpender(address account, address spender, uint64 spenderUntil, uint64 nonce, uint64 deadline)
        internal
        pure
        returns (bytes32)
    {
        return keccak256(abi.encode(SET_SPENDER_TYPEHASH, account, spender, spenderUntil, nonce, deadline));
    }

    function setGuarded(address account, bool guarded, uint64 nonce, uint64 deadline) internal pure returns (bytes32) {
        return keccak256(abi.encode(SET_GUARDED_TYPEHASH, account, guarded, nonce, deadline));
    }

    function abandon(address account, address asset, uint256 oldBudget, uint64 nonce, uint64 deadline)
        internal
        pure
        returns (bytes32)
    {
        return keccak256(abi.encode(ABANDON_TYPEHASH, account, asset, oldBudget, nonce, deadline));
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
                p.ruled,
                p.recipientsRoot,
                p.documentHash,
                keccak256(abi.encodePacked(p.assets)),
                keccak256(abi.encodePacked(p.words)),
                version,
                p.deadline
            )
        );
    }

    function allocate(ILedger.AllocateParams calldata p, uint256 oldBudget, uint64 nonce)
        internal
        pure
        returns (bytes32)
    {
        return keccak256(
            abi.encode(
                ALLOCATE_TYPEHASH,
                p.account,
                p.asset,
                oldBudget,
                p.newBudget,
                keccak256(abi.encodePacked(p.notes)),
                p.credit,
                p.changeNote,
                _hash(p.ciphertext),
                nonce,
                p.deadline
            )
        );
    }

    function transfer(ILedger.TransferParams calldata p, uint256 oldBudget, uint64 version)
        internal
        pure
        returns (bytes32)
    {
        return keccak256(
            abi.encode(
                TRANSFER_TYPEHASH,
                p.account,
                p.to,
                p.asset,
                oldBudget,
                p.newBudget,
                p.note,
                _hash(p.recipientCiphertext),
                _hash(p.payerCiphertext),
                version,
                p.deadline
            )
        );
    }

    function release(ILedger.ReleaseParams calldata p, uint256 oldBudget, uint64 version)
        internal
        pure
        returns (bytes32)
    {
        return keccak256(
            abi.encode(
                RELEASE_TYPEHASH,
                p.account,
                p.to,
                p.asset,
                oldBudget,
                p.newBudget,
                p.amount,
                p.paymentId,
                _hash(p.payerCiphertext),
                version,
                p.deadline
            )
        );
    }

    function spend(ILedger.SpendParams calldata p, uint256 oldBudget, uint64 version) internal pure returns (bytes32) {
        return keccak256(
            abi.encode(
                SPEND_TYPEHASH,
                p.account,
                p.to,
                p.asset,
                oldBudget,
                p.newBudget,
                p.note,
                p.mode,
                p.day,
                p.sealedAmount,
                _hash(p.recipientCiphertext),
                _hash(p.payerCiphertext),
                version,
                p.deadline
            )
        );
    }

    function spendPublic(ILedger.SpendPublicParams calldata p, uint256 oldBudget, uint64 version)
        internal
        pure
        returns (bytes32)
    {
        return keccak256(
            abi.encode(
                SPEND_PUBLIC_TYPEHASH,
                p.account,
                p.to,
                p.asset,
                oldBudget,
                p.newBudget,
                p.amount,
                p.mode,
                p.day,
                p.paymentId,
                _hash(p.payerCiphertext),
                version,
                p.deadline
            )
        );
    }

    function transferMany(
        ILedger.TransferManyParams calldata p,
        uint256 oldBudget,
        bytes32 paymentsHash,
        uint64 version
    ) internal pure returns (bytes32) {
        return keccak256(
            abi.encode(
                TRANSFER_MANY_TYPEHASH,
                p.account,
                p.asset,
                oldBudget,
                p.newBudget,
                paymentsHash,
                _hash(p.payerCiphertext),
                version,
                p.deadline
            )
        );
    }

    /// Of one payment in the list of `transferMany`. Sixteen are hashed for one call, so nothing is allocated.
    function payment(address to, uint256 note, bytes calldata recipientCiphertext)
        internal
        pure
        returns (bytes32 structHash)
    {
        bytes32 typeHash = PAYMENT_TYPEHASH;
        bytes32 ciphertextHash = _hash(recipientCiphertext);
        assembly ("memory-safe") {
            let pointer := mload(0x40)
            mstore(pointer, typeHash)
            mstore(add(pointer, 0x20), to)
            mstore(add(pointer, 0x40), note)
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

    function fund(ILedger.FundParams calldata p, uint256 fromOldBudget, uint256 toOldBudget)
        internal
        pure
        returns (bytes32)
    {
        return keccak256(
            abi.encode(
                FUND_TYPEHASH,
                p.from,
                p.to,
                p.asset,
                fromOldBudget,
                p.fromNewBudget,
                toOldBudget,
                p.toNewBudget,
                p.paymentId,
                _hash(p.fromCiphertext),
                _hash(p.toCiphertext),
                p.deadline
            )
        );
    }

    /// keccak256 of bytes in calldata, without allocating memory for them.
    function _hash(bytes calldata data) private pure returns (bytes32 hash) {
        assembly ("memory-safe") {
            let pointer := mload(0x40)
            calldatacopy(pointer, data.offset, data.length)
            hash := keccak256(pointer, data.length)
        }
    }
}
