// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Signatures} from "./Signatures.sol";
import {StructHashes} from "./StructHashes.sol";
import {ILedger} from "./interfaces/ILedger.sol";

/// Who there is, and who may act for whom.
abstract contract Accounts is Signatures {
    /// Three slots. An address has a record when its viewing key is not zero. The first slot is all that a payment
    /// reads of its payer: an account's payment key or an agent's signer, its end, the policy version and the flags.
    struct Record {
        address signer;
        uint40 until;
        uint48 policyVersion;
        uint8 flags;
        bytes32 viewingKey;
        address owner;
        uint48 nonce;
        uint48 enrolledBlock;
    }

    uint8 private constant GUARDED = 1;
    // Set for every agent. No account has it without GUARDED.
    uint8 private constant LIMITED = 2;
    uint256 private constant LONGEST_PAYMENT_KEY = 366 days;

    mapping(address who => Record) private records;

    /// @inheritdoc ILedger
    function enroll(EnrollParams calldata params, bytes calldata signature) external {
        // Checks
        _checkDeadline(params.deadline);
        _checkNoRecord(params.account);
        if (params.viewingKey == 0) revert ZeroViewingKey(params.account);
        _checkPaymentKeyUntil(params.paymentKeyUntil);
        _checkWallet(params.account, params.account, _digest(StructHashes.enroll(params)), signature);
        // Effects
        Record storage record = records[params.account];
        record.viewingKey = params.viewingKey;
        record.signer = params.paymentKey;
        record.until = uint40(params.paymentKeyUntil);
        record.enrolledBlock = uint48(block.number);
        emit Enrolled(params.account, params.viewingKey, params.paymentKey, params.paymentKeyUntil, params.encryptedAccountKey);
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
        bytes32 viewingKey = records[owner].viewingKey;
        if (viewingKey == 0) revert NotEnrolled(owner);
        if (records[owner].owner != address(0)) revert InvalidOwner(owner);
        bytes32 digest = _digest(StructHashes.enrollAgent(agent, owner, deadline));
        _checkWalletOrPaymentKey(_head(owner), owner, digest, ownerSignature);
        address signer = _signer(digest, agentSignature);
        if (!_isKey(agent, signer)) _refuse(agent, signer);
        // Effects
        Record storage record = records[agent];
        record.signer = agent;
        record.until = type(uint40).max;
        record.flags = LIMITED;
        record.viewingKey = viewingKey;
        record.owner = owner;
        record.enrolledBlock = uint48(block.number);
        emit AgentEnrolled(agent, owner);
    }

    /// @inheritdoc ILedger
    function setPaymentKey(
        address account_,
        address paymentKey,
        uint64 paymentKeyUntil,
        uint64 deadline,
        bytes calldata signature
    ) external {
        // Checks
        _checkDeadline(deadline);
        _checkPaymentKeyUntil(paymentKeyUntil);
        (uint64 nonce, address wallet) = _nonceAndWallet(account_);
        if (wallet != account_) revert AgentHasNoPaymentKey(account_);
        bytes32 digest = _digest(StructHashes.setPaymentKey(account_, paymentKey, paymentKeyUntil, nonce, deadline));
        _checkWallet(account_, account_, digest, signature);
        // Effects
        _useNonce(account_, nonce);
        records[account_].signer = paymentKey;
        records[account_].until = uint40(paymentKeyUntil);
        emit PaymentKeySet(account_, paymentKey, paymentKeyUntil);
    }

    /// @inheritdoc ILedger
    function setGuarded(address account_, bool guarded, uint64 deadline, bytes calldata signature) external {
        // Checks
        _checkDeadline(deadline);
        (uint64 nonce, address wallet) = _nonceAndWallet(account_);
        if (wallet != account_) revert AgentHasNoGuard(account_);
        bytes32 digest = _digest(StructHashes.setGuarded(account_, guarded, nonce, deadline));
        _checkWallet(account_, account_, digest, signature);
        uint8 flags = records[account_].flags;
        if (!guarded && flags & LIMITED != 0) revert LimitedIsGuarded(account_);
        // Effects
        _useNonce(account_, nonce);
        records[account_].flags = guarded ? flags | GUARDED : flags & ~GUARDED;
        emit Guarded(account_, guarded);
    }

    /// @inheritdoc ILedger
    function setAgentSigner(AgentSignerParams calldata params, bytes calldata signature) external {
        // Checks
        _checkDeadline(params.deadline);
        if (params.until > type(uint40).max) revert InvalidEnd(params.until);
        uint256 count = params.agents.length;
        if (params.signers.length != count) revert LengthMismatch(count, params.signers.length);
        uint64[] memory versions = new uint64[](count);
        bool ends = true;
        for (uint256 i = 0; i < count; ++i) {
            Record storage record = records[params.agents[i]];
            // The zero address is the owner of every account that is no agent.
            if (params.owner == address(0) || record.owner != params.owner) {
                revert NotOwnAgent(params.owner, params.agents[i]);
            }
            versions[i] = record.policyVersion;
            if (params.signers[i] != address(0)) ends = false;
        }
        bytes32 digest = _digest(StructHashes.setAgentSigner(params, versions));
        if (ends) _checkWalletOrPaymentKey(_head(params.owner), params.owner, digest, signature);
        else _checkWallet(params.owner, params.owner, digest, signature);
        // Effects
        for (uint256 i = 0; i < count; ++i) {
            Record storage record = records[params.agents[i]];
            // Read again: an agent that is named twice is raised twice.
            uint48 version = record.policyVersion + 1;
            record.signer = params.signers[i];
            record.until = uint40(params.until);
            record.policyVersion = version;
            emit AgentSignerSet(params.agents[i], params.signers[i], params.until, version);
        }
    }

    /// @inheritdoc ILedger
    function account(address who) external view returns (Account memory) {
        Record storage record = records[who];
        return Account({
            viewingKey: record.viewingKey,
            owner: record.owner,
            signer: record.signer,
            until: record.until,
            nonce: record.nonce,
            policyVersion: record.policyVersion,
            enrolledBlock: record.enrolledBlock,
            guarded: record.flags & GUARDED != 0,
            limited: record.flags & LIMITED != 0
        });
    }

    /// Reverts unless `who` has a record.
    function _checkEnrolled(address who) internal view {
        uint256 viewingKey;
        assembly ("memory-safe") {
            mstore(0x00, who)
            mstore(0x20, records.slot)
            viewingKey := sload(add(keccak256(0x00, 0x40), 1))
        }
        if (viewingKey == 0) revert NotEnrolled(who);
    }

    /// The first slot of a payer's record, read once, with the version of its policy and whether it is limited.
    function _payer(address account_) internal view returns (uint256 head, uint64 version, bool limited) {
        head = _head(account_);
        version = uint48(head >> 200);
        limited = uint8(head >> 248) & LIMITED != 0;
    }

    /// Whose wallet decides for an enrolled account: its own, for an agent the owner's.
    function _walletOf(address account_) internal view returns (address) {
        _checkEnrolled(account_);
        address owner = records[account_].owner;
        return owner == address(0) ? account_ : owner;
    }

    /// For what uses up the account's nonce.
    function _nonceAndWallet(address account_) internal view returns (uint64 nonce, address wallet) {
        return (records[account_].nonce, _walletOf(account_));
    }

    /// Makes every signature over the nonce worthless.
    function _useNonce(address account_, uint64 nonce) internal {
        records[account_].nonce = uint48(nonce + 1);
    }

    /// Raises the version, so that everything signed over the old one is worthless.
    function _usePolicyVersion(address account_, uint64 version) internal {
        records[account_].policyVersion = uint48(version + 1);
    }

    /// Makes an account limited and guarded, or no longer limited.
    function _setLimited(address account_, bool limited) internal {
        uint8 flags = records[account_].flags;
        records[account_].flags = limited ? flags | LIMITED | GUARDED : flags & ~LIMITED;
    }

    /// The owner among `from` and `to`, which are an owner and one of its own agents, either way. Only the agent's
    /// record says so: `fromAgent` spares the look at the owner's.
    function _ownerOfPair(address from, address to, bool fromAgent) internal view returns (address owner) {
        if (fromAgent && records[from].owner == to) owner = to;
        else if (records[to].owner == from) owner = from;
        else if (records[from].owner == to) owner = to;
        // The zero address is the owner of every account that is no agent.
        if (owner == address(0)) revert NotOwnAgent(from, to);
    }

    /// Reverts unless `wallet` stands behind a call for `account_`.
    function _checkWallet(address account_, address wallet, bytes32 digest, bytes calldata signature) internal view {
        address signer = _signer(digest, signature);
        if (!_isWallet(wallet, signer, digest, signature)) _refuse(account_, signer);
    }

    /// For an account that is no agent. `head` is the first slot of its record.
    function _checkWalletOrPaymentKey(uint256 head, address account_, bytes32 digest, bytes calldata signature)
        internal
        view
    {
        address signer = _signer(digest, signature);
        if (_isCurrentSigner(head, signer)) return;
        if (!_isWallet(account_, signer, digest, signature)) _refuse(account_, signer);
        _checkEnrolled(account_);
    }

    /// For what a guarded owner leaves to its wallet alone.
    function _checkOwner(address owner, bytes32 digest, bytes calldata signature) internal view {
        uint256 head = _head(owner);
        if (uint8(head >> 248) & GUARDED != 0) _checkWallet(owner, owner, digest, signature);
        else _checkWalletOrPaymentKey(head, owner, digest, signature);
    }

    /// For a payment of a limited account in a mode from 0 to 2. `head` is the first slot of its record.
    function _checkMode(
        uint256 head,
        address account_,
        uint8 mode,
        bytes32 digest,
        bytes calldata signature
    ) internal view {
        address signer = _signer(digest, signature);
        if (mode == 0) {
            if (_isCurrentSigner(head, signer)) return;
        } else {
            address owner = records[account_].owner;
            if (mode == 2) {
                if (_isWallet(owner == address(0) ? account_ : owner, signer, digest, signature)) return;
            } else if (owner != address(0)) {
                if (address(uint160(head)) == address(0) || block.timestamp > uint40(head >> 160)) {
                    revert AgentEnded(account_);
                }
                if (_isCurrentSigner(_head(owner), signer)) return;
            }
        }
        _refuse(account_, signer);
    }

    /// The first slot of a record: signer, until, policyVersion, flags, from the lowest bit.
    function _head(address who) private view returns (uint256 head) {
        assembly ("memory-safe") {
            mstore(0x00, who)
            mstore(0x20, records.slot)
            head := sload(keccak256(0x00, 0x40))
        }
    }

    function _isCurrentSigner(uint256 head, address signer) private view returns (bool) {
        return _isKeyUntil(address(uint160(head)), uint40(head >> 160), signer);
    }

    function _checkNoRecord(address who) private view {
        if (records[who].viewingKey != 0) revert AlreadyEnrolled(who);
    }

    function _checkPaymentKeyUntil(uint64 until) private view {
        uint256 latest = block.timestamp + LONGEST_PAYMENT_KEY;
        if (until > latest) revert PaymentKeyTooLong(until, latest);
    }
}
