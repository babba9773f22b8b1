// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ILedger} from "./interfaces/ILedger.sol";

/// EIP-712 struct hashes, one struct type per function. Ciphertexts enter by their keccak256, as bytes32 fields.
library StructHashes {
    bytes32 internal constant ENROLL_TYPEHASH = keccak256(
        "Enroll(address account,bytes32 viewingKey,address spender,uint64 spenderUntil,bytes32 sealedRootHash,uint64 nonce,uint64 deadline)"
    );
    bytes32 internal constant SET_SPENDER_TYPEHASH =
        keccak256("SetSpender(address account,address spender,uint64 spenderUntil,uint64 nonce,uint64 deadline)");
    bytes32 internal constant ABANDON_TYPEHASH =
        keccak256("Abandon(address account,address asset,uint256 oldBudget,uint64 nonce,uint64 deadline)");
    bytes32 internal constant ENROLL_AGENT_TYPEHASH =
        keccak256("EnrollAgent(address agent,address owner,uint64 nonce,uint64 deadline)");
    bytes32 internal constant ALLOCATE_TYPEHASH = keccak256(
        "Allocate(address account,address asset,uint256 oldBudget,uint256 newBudget,uint256[8] notes,uint64 credit,uint256 changeNote,bytes32 ciphertextHash,uint64 nonce,uint64 deadline)"
    );
    bytes32 internal constant TRANSFER_TYPEHASH = keccak256(
        "Transfer(address account,address to,address asset,uint256 oldBudget,uint256 newBudget,uint256 note,bytes32 recipientCiphertextHash,bytes32 payerCiphertextHash,uint64 deadline)"
    );
    bytes32 internal constant RELEASE_TYPEHASH = keccak256(
        "Release(address account,address to,address asset,uint256 oldBudget,uint256 newBudget,uint64 amount,bytes32 payerCiphertextHash,uint64 deadline)"
    );
    bytes32 internal constant FUND_TYPEHASH = keccak256(
        "Fund(address from,address to,address asset,uint256 fromOldBudget,uint256 fromNewBudget,uint256 toOldBudget,uint256 toNewBudget,bytes32 fromCiphertextHash,bytes32 toCiphertextHash,uint64 deadline)"
    );

    function enroll(ILedger.EnrollParams calldata p) internal pure returns (bytes32) {
        return keccak256(
            abi.encode(
                ENROLL_TYPEHASH,
                p.account,
                p.viewingKey,
                p.spender,
                p.spenderUntil,
                keccak256(p.sealedRoot),
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
                keccak256(p.ciphertext),
                nonce,
                p.deadline
            )
        );
    }

    function transfer(ILedger.TransferParams calldata p, uint256 oldBudget) internal pure returns (bytes32) {
        return keccak256(
            abi.encode(
                TRANSFER_TYPEHASH,
                p.account,
                p.to,
                p.asset,
                oldBudget,
                p.newBudget,
                p.note,
                keccak256(p.recipientCiphertext),
                keccak256(p.payerCiphertext),
                p.deadline
            )
        );
    }

    function release(ILedger.ReleaseParams calldata p, uint256 oldBudget) internal pure returns (bytes32) {
        return keccak256(
            abi.encode(
                RELEASE_TYPEHASH,
                p.account,
                p.to,
                p.asset,
                oldBudget,
                p.newBudget,
                p.amount,
                keccak256(p.payerCiphertext),
                p.deadline
            )
        );
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
                keccak256(p.fromCiphertext),
                keccak256(p.toCiphertext),
                p.deadline
            )
        );
    }
}
