// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {DEADLINE_WINDOW} from "./Constants.sol";
import {Eip712Domain} from "./Eip712Domain.sol";
import {StructHashes} from "./StructHashes.sol";
import {ILedger} from "./interfaces/ILedger.sol";

/// Who there is, and who may act for whom.
abstract contract Accounts is Eip712Domain {
    /// Three slots. An address has a record when its viewing key is not zero. Only accounts without an owner ever have a
    /// spender: payments by the spender rely on it and read one slot.
    struct Record {
        bytes32 viewingKey;
        address spender;
        uint64 spenderUntil;
        address owner;
        uint48 nonce;
        uint48 enrolledBlock;
    }

    mapping(address who => Record) private records;

    /// @inheritdoc ILedger
    function enroll(EnrollParams calldata params, bytes calldata signature) external {
        // Checks
        _checkDeadline(params.deadline);
        _checkNoRecord(params.account);
        if (params.viewingKey == 0) revert ZeroViewingKey(params.account);
        address signer = _signer(_digest(StructHashes.enroll(params)), signature);
        if (signer != params.account) revert NotAuthorized(params.account, signer);
        // Effects
        Record storage record = records[params.account];
        record.viewingKey = params.viewingKey;
        record.spender = params.spender;
        record.spenderUntil = params.spenderUntil;
        record.enrolledBlock = uint48(block.number);
        emit Enrolled(params.account, params.viewingKey, params.spender, params.spenderUntil, params.sealedRoot);
    }

    /// @inheritdoc ILedger
    function enrollAgent(
        address agent,
        address owner,
        uint64 deadline,
        bytes calldata ownerSignature,
        bytes calldata agentSignature
    ) external {
        // Checks
        _checkDeadline(deadline);
        _checkNoRecord(agent);
        Record storage ownerRecord = records[owner];
        bytes32 viewingKey = ownerRecord.viewingKey;
        if (viewingKey == 0) revert NotEnrolled(owner);
        if (ownerRecord.owner != address(0)) revert InvalidOwner(owner);
        bytes32 digest = _digest(StructHashes.enrollAgent(agent, owner, deadline));
        _checkWalletOrSpender(owner, _signer(digest, ownerSignature));
        address signer = _signer(digest, agentSignature);
        if (signer != agent) revert NotAuthorized(agent, signer);
        // Effects
        Record storage record = records[agent];
        record.viewingKey = viewingKey;
        record.owner = owner;
        record.enrolledBlock = uint48(block.number);
        emit AgentEnrolled(agent, owner);
    }

    /// @inheritdoc ILedger
    function setSpender(
        address account_,
        address spender,
        uint64 spenderUntil,
        uint64 deadline,
        bytes calldata signature
    ) external {
        // Checks
        _checkDeadline(deadline);
        Record storage record = records[account_];
        if (record.viewingKey == 0) revert NotEnrolled(account_);
        if (record.owner != address(0)) revert AgentHasNoSpender(account_);
        uint64 nonce = record.nonce;
        address signer =
            _signer(_digest(StructHashes.setSpender(account_, spender, spenderUntil, nonce, deadline)), signature);
        if (signer != account_) revert NotAuthorized(account_, signer);
        // Effects
        record.nonce = uint48(nonce + 1);
        record.spender = spender;
        record.spenderUntil = spenderUntil;
        emit SpenderSet(account_, spender, spenderUntil);
    }

    /// @inheritdoc ILedger
    function account(address who)
        external
        view
        returns (
            bytes32 viewingKey,
            address spender,
            uint64 spenderUntil,
            address owner,
            uint64 nonce,
            uint64 enrolledBlock
        )
    {
        Record storage record = records[who];
        return (
            record.viewingKey,
            record.spender,
            record.spenderUntil,
            record.owner,
            record.nonce,
            record.enrolledBlock
        );
    }

    /// Reverts unless the deadline is now or at most DEADLINE_WINDOW ahead.
    function _checkDeadline(uint64 deadline) internal view {
        if (deadline < block.timestamp || deadline > block.timestamp + DEADLINE_WINDOW) {
            revert BadDeadline(deadline, block.timestamp);
        }
    }

    /// Reverts unless `who` has a record.
    function _checkEnrolled(address who) internal view {
        if (records[who].viewingKey == 0) revert NotEnrolled(who);
    }

    /// The address that stands behind a call: the sender, or the account that signed the digest. Never zero.
    function _signer(bytes32 digest, bytes calldata signature) internal view returns (address) {
        if (signature.length == 0) {
            // No one sends from the zero address on chain, but nodes simulate calls from it.
            if (msg.sender == address(0)) revert InvalidSignature();
            return msg.sender;
        }
        (address signer, ECDSA.RecoverError fault,) = ECDSA.tryRecoverCalldata(digest, signature);
        if (fault != ECDSA.RecoverError.NoError) revert InvalidSignature();
        return signer;
    }

    /// For `transfer` and `release`: the account's wallet or spender, and for an agent its owner's wallet or spender.
    function _checkMayPay(address account_, address signer) internal view {
        Record storage record = records[account_];
        if (signer == account_) {
            _checkEnrolled(account_);
            return;
        }
        if (_isSpender(record, signer)) return;
        address owner = record.owner;
        if (owner == address(0)) revert NotAuthorized(account_, signer);
        if (signer != owner && !_isSpender(records[owner], signer)) revert NotAuthorized(account_, signer);
    }

    /// For `fund`: reverts unless `from` and `to` are an owner and its own agent, either way, and the signer is the
    /// owner's wallet or spender.
    function _checkMayFund(address from, address to, address signer) internal view {
        address owner;
        if (records[to].owner == from) owner = from;
        else if (records[from].owner == to) owner = to;
        // The zero address is the owner of every account that is no agent.
        if (owner == address(0)) revert NotOwnAgent(from, to);
        _checkWalletOrSpender(owner, signer);
    }

    /// For `allocate` and `abandon`: the nonce of an account, and the wallet that decides for it.
    function _nonceAndWallet(address account_) internal view returns (uint64 nonce, address wallet) {
        Record storage record = records[account_];
        _checkEnrolled(account_);
        address owner = record.owner;
        return (record.nonce, owner == address(0) ? account_ : owner);
    }

    /// Makes every signature over the nonce worthless.
    function _useNonce(address account_, uint64 nonce) internal {
        records[account_].nonce = uint48(nonce + 1);
    }

    function _checkNoRecord(address who) private view {
        if (records[who].viewingKey != 0) revert AlreadyEnrolled(who);
    }

    function _checkWalletOrSpender(address account_, address signer) private view {
        if (signer != account_ && !_isSpender(records[account_], signer)) revert NotAuthorized(account_, signer);
    }

    /// A signer is never zero, so a zero spender matches no signer.
    function _isSpender(Record storage record, address signer) private view returns (bool) {
        return signer == record.spender && block.timestamp <= record.spenderUntil;
    }
}
