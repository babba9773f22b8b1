// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ILedger} from "../../src/interfaces/ILedger.sol";

/// The EIP-712 structs as the interface documents them, hashed without the ledger's own code.
library Structs {
    struct EnrollData {
        bytes32 typeHash;
        address account;
        bytes32 viewingKey;
        address paymentKey;
        uint64 paymentKeyUntil;
        bytes32 encryptedAccountKeyHash;
        uint64 nonce;
        uint64 deadline;
    }

    struct SetPolicyData {
        bytes32 typeHash;
        address account;
        bool limited;
        bytes32 recipientsRoot;
        bytes32 documentHash;
        bytes32 assets;
        bytes32 commitments;
        uint64 policyVersion;
        uint64 deadline;
    }

    struct MakeAvailableData {
        bytes32 typeHash;
        address account;
        address asset;
        uint256 oldAvailable;
        uint256 newAvailable;
        bytes32 notes;
        uint64 deposited;
        uint256 changeNote;
        bytes32 ciphertextHash;
        uint64 nonce;
        uint64 deadline;
    }

    struct TransferData {
        bytes32 typeHash;
        address account;
        address to;
        address asset;
        uint256 oldAvailable;
        uint256 newAvailable;
        uint256 note;
        bytes32 recipientCiphertextHash;
        bytes32 payerCiphertextHash;
        uint64 policyVersion;
        uint64 deadline;
    }

    struct ReleaseData {
        bytes32 typeHash;
        address account;
        address to;
        address asset;
        uint256 oldAvailable;
        uint256 newAvailable;
        uint64 amount;
        bytes32 paymentId;
        bytes32 payerCiphertextHash;
        uint64 policyVersion;
        uint64 deadline;
    }

    struct SpendData {
        bytes32 typeHash;
        address account;
        address to;
        address asset;
        uint256 oldAvailable;
        uint256 newAvailable;
        uint256 note;
        uint8 mode;
        uint32 day;
        uint256 encryptedAmount;
        bytes32 recipientCiphertextHash;
        bytes32 payerCiphertextHash;
        uint64 policyVersion;
        uint64 deadline;
    }

    struct SpendPublicData {
        bytes32 typeHash;
        address account;
        address to;
        address asset;
        uint256 oldAvailable;
        uint256 newAvailable;
        uint64 amount;
        uint8 mode;
        uint32 day;
        bytes32 paymentId;
        bytes32 payerCiphertextHash;
        uint64 policyVersion;
        uint64 deadline;
    }

    struct FundData {
        bytes32 typeHash;
        address from;
        address to;
        address asset;
        uint256 fromOldAvailable;
        uint256 fromNewAvailable;
        uint256 toOldAvailable;
        uint256 toNewAvailable;
        bytes32 paymentId;
        bytes32 fromCiphertextHash;
        bytes32 toCiphertextHash;
        uint64 deadline;
    }

    string private constant PAYMENT = "Payment(address to,uint256 note,bytes32 recipientCiphertextHash)";

    function enroll(ILedger.EnrollParams memory p) internal pure returns (bytes32) {
        bytes32 t = keccak256(
            "Enroll(address account,bytes32 viewingKey,address paymentKey,uint64 paymentKeyUntil,bytes32 encryptedAccountKeyHash,uint64 nonce,uint64 deadline)"
        );
        return keccak256(
            abi.encode(
                EnrollData(
                    t, p.account, p.viewingKey, p.paymentKey, p.paymentKeyUntil, keccak256(p.encryptedAccountKey), 0, p.deadline
                )
            )
        );
    }

    function enrollAgent(address agent, address owner, uint64 deadline) internal pure returns (bytes32) {
        bytes32 t = keccak256("EnrollAgent(address agent,address owner,uint64 nonce,uint64 deadline)");
        return keccak256(abi.encode(t, agent, owner, uint64(0), deadline));
    }

    function setPaymentKey(address account, address paymentKey, uint64 paymentKeyUntil, uint64 nonce, uint64 deadline)
        internal
        pure
        returns (bytes32)
    {
        bytes32 t =
            keccak256("SetPaymentKey(address account,address paymentKey,uint64 paymentKeyUntil,uint64 nonce,uint64 deadline)");
        return keccak256(abi.encode(t, account, paymentKey, paymentKeyUntil, nonce, deadline));
    }

    function setGuarded(address account, bool guarded, uint64 nonce, uint64 deadline) internal pure returns (bytes32) {
        bytes32 t = keccak256("SetGuarded(address account,bool guarded,uint64 nonce,uint64 deadline)");
        return keccak256(abi.encode(t, account, guarded, nonce, deadline));
    }

    function abandon(address account, address asset, uint256 oldAvailable, uint64 nonce, uint64 deadline)
        internal
        pure
        returns (bytes32)
    {
        bytes32 t = keccak256("Abandon(address account,address asset,uint256 oldAvailable,uint64 nonce,uint64 deadline)");
        return keccak256(abi.encode(t, account, asset, oldAvailable, nonce, deadline));
    }

    function setAgentSigner(ILedger.AgentSignerParams memory p, uint64[] memory versions)
        internal
        pure
        returns (bytes32)
    {
        bytes32 t = keccak256(
            "SetAgentSigner(address owner,address[] agents,address[] signers,uint64[] policyVersions,uint64 until,uint64 deadline)"
        );
        (bytes memory agents, bytes memory signers, bytes memory words) = ("", "", "");
        for (uint256 i = 0; i < p.agents.length; ++i) {
            agents = abi.encodePacked(agents, abi.encode(p.agents[i]));
            signers = abi.encodePacked(signers, abi.encode(p.signers[i]));
            words = abi.encodePacked(words, abi.encode(versions[i]));
        }
        return keccak256(
            abi.encode(t, p.owner, keccak256(agents), keccak256(signers), keccak256(words), p.until, p.deadline)
        );
    }

    function setPolicy(ILedger.PolicyParams memory p, uint64 version) internal pure returns (bytes32) {
        SetPolicyData memory d;
        d.typeHash = keccak256(
            "SetPolicy(address account,bool limited,bytes32 recipientsRoot,bytes32 documentHash,address[] assets,uint256[] commitments,uint64 policyVersion,uint64 deadline)"
        );
        (bytes memory assets, bytes memory commitments) = ("", "");
        for (uint256 i = 0; i < p.assets.length; ++i) {
            assets = abi.encodePacked(assets, abi.encode(p.assets[i]));
            commitments = abi.encodePacked(commitments, p.commitments[i]);
        }
        (d.account, d.limited, d.recipientsRoot, d.documentHash) = (p.account, p.limited, p.recipientsRoot, p.documentHash);
        (d.assets, d.commitments, d.policyVersion, d.deadline) = (keccak256(assets), keccak256(commitments), version, p.deadline);
        return keccak256(abi.encode(d));
    }

    function makeAvailable(ILedger.MakeAvailableParams memory p, uint256 oldAvailable, uint64 nonce)
        internal
        pure
        returns (bytes32)
    {
        MakeAvailableData memory d;
        d.typeHash = keccak256(
            "MakeAvailable(address account,address asset,uint256 oldAvailable,uint256 newAvailable,uint256[8] notes,uint64 deposited,uint256 changeNote,bytes32 ciphertextHash,uint64 nonce,uint64 deadline)"
        );
        (d.account, d.asset, d.oldAvailable, d.newAvailable) = (p.account, p.asset, oldAvailable, p.newAvailable);
        (d.notes, d.deposited, d.changeNote) = (keccak256(abi.encode(p.notes)), p.deposited, p.changeNote);
        (d.ciphertextHash, d.nonce, d.deadline) = (keccak256(abi.encodePacked(p.ciphertext)), nonce, p.deadline);
        return keccak256(abi.encode(d));
    }

    function transfer(ILedger.TransferParams memory p, uint256 oldAvailable, uint64 version)
        internal
        pure
        returns (bytes32)
    {
        TransferData memory d;
        d.typeHash = keccak256(
            "Transfer(address account,address to,address asset,uint256 oldAvailable,uint256 newAvailable,uint256 note,bytes32 recipientCiphertextHash,bytes32 payerCiphertextHash,uint64 policyVersion,uint64 deadline)"
        );
        (d.account, d.to, d.asset, d.oldAvailable, d.newAvailable) = (p.account, p.to, p.asset, oldAvailable, p.newAvailable);
        (d.note, d.recipientCiphertextHash) = (p.note, keccak256(abi.encodePacked(p.recipientCiphertext)));
        (d.payerCiphertextHash, d.policyVersion, d.deadline) = (keccak256(abi.encodePacked(p.payerCiphertext)), version, p.deadline);
        return keccak256(abi.encode(d));
    }

    function release(ILedger.ReleaseParams memory p, uint256 oldAvailable, uint64 version)
        internal
        pure
        returns (bytes32)
    {
        ReleaseData memory d;
        d.typeHash = keccak256(
            "Release(address account,address to,address asset,uint256 oldAvailable,uint256 newAvailable,uint64 amount,bytes32 paymentId,bytes32 payerCiphertextHash,uint64 policyVersion,uint64 deadline)"
        );
        (d.account, d.to, d.asset, d.oldAvailable, d.newAvailable) = (p.account, p.to, p.asset, oldAvailable, p.newAvailable);
        (d.amount, d.paymentId) = (p.amount, p.paymentId);
        (d.payerCiphertextHash, d.policyVersion, d.deadline) = (keccak256(abi.encodePacked(p.payerCiphertext)), version, p.deadline);
        return keccak256(abi.encode(d));
    }

    function spend(ILedger.SpendParams memory p, uint256 oldAvailable, uint64 version) internal pure returns (bytes32) {
        SpendData memory d;
        d.typeHash = keccak256(
            "Spend(address account,address to,address asset,uint256 oldAvailable,uint256 newAvailable,uint256 note,uint8 mode,uint32 day,uint256 encryptedAmount,bytes32 recipientCiphertextHash,bytes32 payerCiphertextHash,uint64 policyVersion,uint64 deadline)"
        );
        (d.account, d.to, d.asset, d.oldAvailable, d.newAvailable) = (p.account, p.to, p.asset, oldAvailable, p.newAvailable);
        (d.note, d.mode, d.day, d.encryptedAmount) = (p.note, p.mode, p.day, p.encryptedAmount);
        d.recipientCiphertextHash = keccak256(abi.encodePacked(p.recipientCiphertext));
        (d.payerCiphertextHash, d.policyVersion, d.deadline) = (keccak256(abi.encodePacked(p.payerCiphertext)), version, p.deadline);
        return keccak256(abi.encode(d));
    }

    function spendPublic(ILedger.SpendPublicParams memory p, uint256 oldAvailable, uint64 version)
        internal
        pure
        returns (bytes32)
    {
        SpendPublicData memory d;
        d.typeHash = keccak256(
            "SpendPublic(address account,address to,address asset,uint256 oldAvailable,uint256 newAvailable,uint64 amount,uint8 mode,uint32 day,bytes32 paymentId,bytes32 payerCiphertextHash,uint64 policyVersion,uint64 deadline)"
        );
        (d.account, d.to, d.asset, d.oldAvailable, d.newAvailable) = (p.account, p.to, p.asset, oldAvailable, p.newAvailable);
        (d.amount, d.mode, d.day, d.paymentId) = (p.amount, p.mode, p.day, p.paymentId);
        (d.payerCiphertextHash, d.policyVersion, d.deadline) = (keccak256(abi.encodePacked(p.payerCiphertext)), version, p.deadline);
        return keccak256(abi.encode(d));
    }

    function transferMany(ILedger.TransferManyParams memory p, uint256 oldAvailable, uint64 version)
        internal
        pure
        returns (bytes32)
    {
        bytes32 t = keccak256(
            abi.encodePacked(
                "TransferMany(address account,address asset,uint256 oldAvailable,uint256 newAvailable,Payment[] payments,bytes32 payerCiphertextHash,uint64 policyVersion,uint64 deadline)",
                PAYMENT
            )
        );
        bytes memory payments;
        for (uint256 i = 0; i < p.payments.length; ++i) {
            ILedger.Payment memory q = p.payments[i];
            payments = abi.encodePacked(
                payments,
                keccak256(abi.encode(keccak256(bytes(PAYMENT)), q.to, q.note, keccak256(abi.encodePacked(q.recipientCiphertext))))
            );
        }
        return keccak256(
            abi.encode(
                t,
                p.account,
                p.asset,
                oldAvailable,
                p.newAvailable,
                keccak256(payments),
                keccak256(abi.encodePacked(p.payerCiphertext)),
                version,
                p.deadline
            )
        );
    }

    function fund(ILedger.FundParams memory p, uint256 fromOldAvailable, uint256 toOldAvailable)
        internal
        pure
        returns (bytes32)
    {
        FundData memory d;
        d.typeHash = keccak256(
            "Fund(address from,address to,address asset,uint256 fromOldAvailable,uint256 fromNewAvailable,uint256 toOldAvailable,uint256 toNewAvailable,bytes32 paymentId,bytes32 fromCiphertextHash,bytes32 toCiphertextHash,uint64 deadline)"
        );
        (d.from, d.to, d.asset) = (p.from, p.to, p.asset);
        (d.fromOldAvailable, d.fromNewAvailable) = (fromOldAvailable, p.fromNewAvailable);
        (d.toOldAvailable, d.toNewAvailable, d.paymentId) = (toOldAvailable, p.toNewAvailable, p.paymentId);
        (d.fromCiphertextHash, d.toCiphertextHash) = (keccak256(abi.encodePacked(p.fromCiphertext)), keccak256(abi.encodePacked(p.toCiphertext)));
        d.deadline = p.deadline;
        return keccak256(abi.encode(d));
    }
}
