// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title Ledger of confidential available balances, notes and policies
/// @notice Amounts are on chain only as Poseidon commitments; Groth16 proofs and EIP-712 signatures move
/// them. A unit is the smallest amount the ledger counts in (USDG 1e-6, ETH 1 gwei); every amount is below 2^64 units.
///
/// An account is *limited* when a policy limits what its keys may spend: every agent is, and every account whose wallet
/// chose it. Limited accounts pay by `spend` and `spendPublic`, all others by `transfer` and `release`. An account is
/// *guarded* when its wallet alone sets the policies of its agents and funds them. A limited account is always guarded.
/// @dev Who stands behind a call:
/// - A key (an account's payment key, an agent's signer, an agent that is enrolled) proves itself as
///   `msg.sender` or by a 65-byte ECDSA signature (low s) of the EIP-712 digest of the function's struct.
/// - A wallet proves itself as `msg.sender`, else by such a signature, else, when it has code, by ERC-1271 over the
///   digest. In this order, so that a wallet with EIP-7702 code keeps its key. Empty bytes are a signature that
///   recovers to no one.
/// ctx of a proof is the digest mod FIELD_ORDER. Old commitments, nonces and versions of a struct are read from
/// storage: a signature over others does not match. Every deadline satisfies block.timestamp <= deadline <=
/// block.timestamp + 24 hours.
interface ILedger {
    // The order of fields in the parameters of payments decides their selectors. Those below others are found first,
    // and each function before a payment costs it 22 gas.

    /// A Groth16 proof in the order of the pairing precompile (limbs of `b` already swapped).
    struct Proof {
        uint256[2] a;
        uint256[2][2] b;
        uint256[2] c;
    }

    /// What `account` returns. All zero without a record.
    struct Account {
        /// X25519 key of the account's owner. Never zero once enrolled.
        bytes32 viewingKey;
        /// The owner of an agent; zero for accounts.
        address owner;
        /// An account's payment key, an agent's signer. Zero: none; an agent without signer has ended.
        address signer;
        /// The last second at which the signer counts.
        uint64 until;
        /// Of `setPaymentKey`, `setGuarded`, `makeAvailable` and `abandon`.
        uint64 nonce;
        /// Of `setPolicy`, `setAgentSigner` and all payments.
        uint64 policyVersion;
        /// On chains of the Arbitrum family the estimated block of the parent chain, as `block.number` is.
        uint64 enrolledBlock;
        bool guarded;
        bool limited;
    }

    struct EnrollParams {
        address account;
        bytes32 viewingKey;
        address paymentKey;
        uint64 paymentKeyUntil;
        bytes encryptedAccountKey;
        uint64 deadline;
    }

    struct PolicyParams {
        address account;
        bool limited;
        bytes32 recipientsRoot;
        bytes32 documentHash;
        address[] assets;
        uint256[] commitments;
        uint64 deadline;
    }

    struct AgentSignerParams {
        address owner;
        address[] agents;
        address[] signers;
        uint64 until;
        uint64 deadline;
    }

    struct MakeAvailableParams {
        address account;
        address asset;
        uint256 newAvailable;
        uint256[8] notes;
        uint64 deposited;
        uint256 changeNote;
        uint64 deadline;
        bytes32[4] ciphertext;
    }

    struct TransferParams {
        address account;
        address to;
        address asset;
        uint64 deadline;
        uint256 newAvailable;
        uint256 note;
        bytes32[4] recipientCiphertext;
        bytes32[4] payerCiphertext;
    }

    struct ReleaseParams {
        address account;
        address to;
        address asset;
        uint64 deadline;
        uint256 newAvailable;
        uint64 amount;
        bytes32 paymentId;
        bytes32[4] payerCiphertext;
    }

    struct SpendParams {
        address account;
        address to;
        address asset;
        uint8 mode;
        uint32 day;
        uint256 encryptedAmount;
        uint64 deadline;
        uint256 newAvailable;
        uint256 note;
        bytes32[4] recipientCiphertext;
        bytes32[4] payerCiphertext;
    }

    struct SpendPublicParams {
        address account;
        address to;
        address asset;
        uint64 deadline;
        uint8 mode;
        uint32 day;
        uint256 newAvailable;
        uint64 amount;
        bytes32 paymentId;
        bytes32[4] payerCiphertext;
    }

    /// That a recipient is among those of a policy. No part of the signed struct: it gives no one any right. Ignored in
    /// mode 2 and where the policy allows anyone.
    struct RecipientProof {
        bytes32 leafSalt;
        bytes32[] path;
    }

    struct FundParams {
        address from;
        address to;
        address asset;
        /// Which of the two is looked up as the agent first; the other way round is then looked up as well. No part of
        /// the signed struct: it changes the gas and nothing else.
        bool fromAgent;
        uint256 fromNewAvailable;
        uint256 toNewAvailable;
        bytes32 paymentId;
        bytes32[4] fromCiphertext;
        bytes32[4] toCiphertext;
        uint64 deadline;
    }

    struct Payment {
        address to;
        uint256 note;
        bytes32[4] recipientCiphertext;
    }

    struct TransferManyParams {
        uint64 deadline;
        address account;
        address asset;
        bytes32[16] payerCiphertext;
        Payment[] payments;
        uint256 newAvailable;
    }

    /// What the ledger knows about a note of one account and asset. A spent note never opens again.
    enum NoteStatus {
        None,
        Open,
        Spent
    }

    // ---------------------------------------------------------------- errors

    /// The constructor was given a verifier without code.
    error NoCode(address verifier);
    /// The deadline has passed, or lies more than 24 hours ahead.
    error BadDeadline(uint64 deadline, uint256 timestamp);
    /// The signature is no ECDSA signature with a low s (or there is none and the sender is the zero address), and no
    /// wallet that may do this takes it by ERC-1271.
    error InvalidSignature();
    /// `signer` (recovered, or the sender) may not do this for `account`. A digest that differs in any field recovers
    /// to someone else, so a signature over other words fails with this too, as does one for another nonce, version,
    /// chain or ledger.
    error NotAuthorized(address account, address signer);
    /// The proof does not hold for the commitments in storage, the call's fields and this ledger.
    error InvalidProof();
    /// `account` has a record already, as account or as agent.
    error AlreadyEnrolled(address account);
    /// `account` has no record.
    error NotEnrolled(address account);
    /// A viewing key of zero marks an address without a record.
    error ZeroViewingKey(address account);
    /// `owner` is itself an agent.
    error InvalidOwner(address owner);
    /// Agents have a signer (`setAgentSigner`) and no payment key.
    error AgentHasNoPaymentKey(address agent);
    /// The guard is a flag of accounts. Agents follow their owner's.
    error AgentHasNoGuard(address agent);
    /// A payment key counts for 366 days at most.
    error PaymentKeyTooLong(uint64 until, uint256 latest);
    /// The end of an agent's signer is not below 2^40.
    error InvalidEnd(uint64 until);
    /// `from` and `to` are not an owner and one of its own agents.
    error NotOwnAgent(address from, address to);
    /// An agent is always limited.
    error AgentIsLimited(address agent);
    /// A limited account keeps its guard.
    error LimitedIsGuarded(address account);
    /// A limited account pays by `spend` and `spendPublic`.
    error AccountIsLimited(address account);
    /// An account that is not limited pays by `transfer` and `release`.
    error NotLimited(address account);
    /// Two lists that belong together differ in length.
    error LengthMismatch(uint256 first, uint256 second);
    /// A policy commitment is not below the order of the field.
    error InvalidPolicyCommitment(uint256 commitment);
    /// The account has no policy for this asset, so only the wallet spends it.
    error NoPolicy(address account, address asset);
    /// A mode above 2, or mode 2 with a day.
    error InvalidTerms(uint8 mode, uint32 day);
    /// Nowhere on Earth is it this calendar day, now or at the deadline.
    error WrongDay(uint32 day, uint64 deadline, uint256 timestamp);
    /// The agent has ended: it has no signer, or its time is over.
    error AgentEnded(address agent);
    /// The proof does not show that the policy allows this recipient.
    error RecipientNotAllowed(address account, address to);
    /// The encrypted amount is not below the order of the field.
    error InvalidEncryptedAmount(uint256 commitment);
    /// A payment with this id has happened.
    error PaymentIdUsed(address account, bytes32 paymentId);
    /// `transferMany` makes 2 to 16 payments.
    error InvalidCount(uint256 count);
    /// An account cannot pay itself.
    error PaymentToSelf(address account);
    /// No one can spend what is released to the ledger or to the zero address.
    error InvalidRecipient(address to);
    /// The commitment is zero, the empty available balance, or not below the order of the field.
    error InvalidAvailableBalance(uint256 commitment);
    /// The commitment is zero, the empty note, or not below the order of the field.
    error InvalidNote(uint256 commitment);
    /// The note was opened before: a note is unique for its account and asset, for ever.
    error NoteNotNew(address account, address asset, uint256 note);
    /// The note is not open for this account and asset.
    error NoteNotOpen(address account, address asset, uint256 note);
    /// The available balance is empty already.
    error NothingToAbandon(address account, address asset);
    /// More deposited money was asked for than is there.
    error InsufficientDeposited(address account, address asset, uint64 available, uint64 needed);
    /// The deposited money would not be below 2^64 units.
    error DepositedOverflow(address account, address asset);
    /// Amounts are at least one unit.
    error ZeroAmount();
    /// The asset is not listed.
    error NotListed(address asset);
    /// An asset is listed once; its unit never changes.
    error AlreadyListed(address asset);
    /// The unit is zero or above 2^128, or the token has no code.
    error InvalidAsset(address asset, uint256 unit);
    /// The limit is not below 2^64 units.
    error InvalidLimit(uint256 limit);
    /// The deposit is larger than one deposit of this asset may be.
    error DepositLimitExceeded(address asset, uint256 units, uint256 limit);
    /// What arrived is no whole number of units.
    error NotWholeUnits(address asset, uint256 amount, uint256 unit);
    /// The coins sent along differ from what the call says (for tokens: from none).
    error WrongValue(uint256 sent, uint256 expected);
    /// A token or a recipient called back while money was coming in or going out.
    error Reentered();
    /// The recipient of released coins refused them.
    error CoinTransferFailed(address to, uint256 amount);

    // ---------------------------------------------------------------- events

    event Enrolled(
        address indexed account, bytes32 viewingKey, address paymentKey, uint64 paymentKeyUntil, bytes encryptedAccountKey
    );
    event PaymentKeySet(address indexed account, address paymentKey, uint64 paymentKeyUntil);
    /// From `setGuarded` alone. What makes an account limited makes it guarded too: `PolicySet` says so.
    event Guarded(address indexed account, bool guarded);
    event Abandoned(address indexed account, address indexed asset, uint256 oldAvailable);
    event AgentEnrolled(address indexed agent, address indexed owner);
    /// `policyVersion` is the agent's new one.
    event AgentSignerSet(address indexed agent, address signer, uint64 until, uint64 policyVersion);
    /// `policyVersion` is the new one.
    event PolicySet(
        address indexed account,
        uint64 policyVersion,
        bool limited,
        bytes32 recipientsRoot,
        bytes32 documentHash,
        address[] assets,
        uint256[] commitments
    );
    event Deposited(address indexed account, address indexed asset, uint64 units);
    event MadeAvailable(
        address indexed account,
        address indexed asset,
        uint256 oldAvailable,
        uint256 newAvailable,
        uint256[8] notes,
        uint64 deposited,
        uint256 changeNote,
        bytes32[4] ciphertext
    );
    /// A payment by `transfer` or `spend`.
    event Transferred(
        address indexed account,
        address indexed to,
        address asset,
        uint256 oldAvailable,
        uint256 newAvailable,
        uint256 note,
        bytes32[4] recipientCiphertext,
        bytes32[4] payerCiphertext
    );
    /// A payment by `release` or `spendPublic`.
    event Released(
        address indexed account,
        address indexed to,
        address asset,
        uint256 oldAvailable,
        uint256 newAvailable,
        uint64 amount,
        bytes32 paymentId,
        bytes32[4] payerCiphertext
    );
    /// Follows `Transferred` or `Released` of a limited account. `terms` is mode + 4 · day. Anyone who opens the old
    /// available balance opens the new one: its salt, and the pad in `encryptedAmount` = amount + pad, are the two
    /// outputs of one permutation, Poseidon(5, old salt, note). Where the amount is public, `encryptedAmount` is zero
    /// and the salt is Poseidon(5, old salt).
    event Limited(
        address indexed account, address asset, uint256 newAvailable, uint256 terms, uint256 encryptedAmount
    );
    /// A `transferMany`. One `Paid` for each payment follows, in the order of the call.
    event BatchTransferred(
        address indexed account,
        address asset,
        uint256 oldAvailable,
        uint256 newAvailable,
        bytes32[16] payerCiphertext
    );
    event Paid(
        address indexed account, address indexed to, address asset, uint256 note, bytes32[4] recipientCiphertext
    );
    event Funded(
        address indexed from,
        address indexed to,
        address asset,
        uint256 fromOldAvailable,
        uint256 fromNewAvailable,
        uint256 toOldAvailable,
        uint256 toNewAvailable,
        bytes32 paymentId,
        bytes32[4] fromCiphertext,
        bytes32[4] toCiphertext
    );
    event AssetListed(address indexed asset, uint256 unit);
    event DepositLimitSet(address indexed asset, uint256 limit);

    // ---------------------------------------------------------------- accounts

    /// @notice Registers the viewing key of an address without a record, for ever. Authority: the address's wallet.
    /// @dev EIP-712: Enroll(address account,bytes32 viewingKey,address paymentKey,uint64 paymentKeyUntil,
    /// bytes32 encryptedAccountKeyHash,uint64 nonce,uint64 deadline), nonce 0. A zero payment key is none.
    /// `paymentKeyUntil` is at most 366 days ahead.
    function enroll(EnrollParams calldata params, bytes calldata signature) external;

    /// @notice Replaces the account's payment key (zero: removes it), valid up to and including `paymentKeyUntil`,
    /// which is at most 366 days ahead. Authority: the account's wallet. Uses up the account's nonce. Agents have no
    /// payment key.
    /// @dev EIP-712: SetPaymentKey(address account,address paymentKey,uint64 paymentKeyUntil,uint64 nonce,
    /// uint64 deadline)
    function setPaymentKey(
        address account,
        address paymentKey,
        uint64 paymentKeyUntil,
        uint64 deadline,
        bytes calldata signature
    ) external;

    /// @notice Sets or clears the guard: guarded, the wallet alone sets the policies of the account's agents and signs
    /// `fund`. Authority: the account's wallet. Uses up the account's nonce. A limited account keeps its guard.
    /// @dev EIP-712: SetGuarded(address account,bool guarded,uint64 nonce,uint64 deadline)
    function setGuarded(address account, bool guarded, uint64 deadline, bytes calldata signature) external;

    /// @notice Sets an available balance whose opening is lost to zero: burns it. Authority: the account's wallet, for
    /// an agent its owner's wallet. Uses up the account's nonce. What a limited available balance has counted goes with
    /// it.
    /// @dev EIP-712: Abandon(address account,address asset,uint256 oldAvailable,uint64 nonce,uint64 deadline)
    function abandon(address account, address asset, uint64 deadline, bytes calldata signature) external;

    /// @notice Registers an address without a record as agent of `owner`, for ever, with the owner's viewing key. The
    /// agent signs for itself at first, without an end, and is limited: without a policy it spends nothing. Authority:
    /// the owner's wallet or payment key, and the agent itself.
    /// @dev EIP-712: EnrollAgent(address agent,address owner,uint64 nonce,uint64 deadline), nonce 0, signed by both.
    function enrollAgent(
        address agent,
        address owner,
        uint64 deadline,
        bytes calldata ownerSignature,
        bytes calldata agentSignature
    ) external;

    /// @notice Names the signer of each agent (zero: the agent has ended), valid up to and including `until`. Raises each
    /// agent's policy version, so everything signed before is void. Authority: the owner's wallet; its payment key only
    /// when every signer is zero.
    /// @dev EIP-712: SetAgentSigner(address owner,address[] agents,address[] signers,uint64[] policyVersions,uint64 until,
    /// uint64 deadline). `policyVersions` are those the agents have before the call. An `until` of 2^40 - 1 is no end.
    function setAgentSigner(AgentSignerParams calldata params, bytes calldata signature) external;

    // ---------------------------------------------------------------- policies

    /// @notice Sets the recipients, the document and the policy commitments of the named assets; an asset that is not
    /// named keeps its commitment. Raises the policy version, so every payment signed before is void. `limited` makes
    /// an account limited and guarded, or no longer limited (the guard stays); for agents it is always true. Authority:
    /// an account's wallet. Of an agent the owner's wallet, and its payment key unless the owner is guarded.
    /// @dev EIP-712: SetPolicy(address account,bool limited,bytes32 recipientsRoot,bytes32 documentHash,
    /// address[] assets,uint256[] commitments,uint64 policyVersion,uint64 deadline). `policyVersion` is the one before
    /// the call. A commitment is Poseidon(3, perPayment + 2^64 · daily + 2^128 · threshold, salt), or zero: nothing may
    /// be spent. `recipientsRoot` is zero (no one), one (anyone), or the root of a tree as OpenZeppelin's MerkleProof
    /// reads it, with leaves keccak256(keccak256(abi.encode(account, recipient, leafSalt))).
    function setPolicy(PolicyParams calldata params, bytes calldata signature) external;

    // ---------------------------------------------------------------- money

    /// @notice Takes `tokenAmount` of the token's smallest units (for the zero address: the coins sent along) from the
    /// sender, who is enrolled, and deposited money what arrived.
    function deposit(address asset, uint256 tokenAmount) external payable;

    /// @notice Takes a deposit by an EIP-3009 receiveWithAuthorization of `from`, who is enrolled and alone is
    /// credited. Anyone may submit it.
    function depositWithAuthorization(
        address asset,
        address from,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes calldata signature
    ) external;

    /// @notice Up to 8 notes, part of the deposited money and the old available balance become the new available
    /// balance and a change note. Unused note slots hold EMPTY_NOTE, as does `changeNote` when there is no change. The
    /// new available balance's window is the wallet's choice. Authority: the account's wallet, for an agent its owner's
    /// wallet. Uses up the account's nonce.
    /// @dev EIP-712: MakeAvailable(address account,address asset,uint256 oldAvailable,uint256 newAvailable,
    /// uint256[8] notes,uint64 deposited,uint256 changeNote,bytes32 ciphertextHash,uint64 nonce,uint64 deadline)
    function makeAvailable(MakeAvailableParams calldata params, Proof calldata proof, bytes calldata signature) external;

    /// @notice Pays a hidden amount from the available balance of an account that is not limited, as a new note of
    /// `to`, who is enrolled and not the payer. Authority: the account's wallet or payment key.
    /// @dev EIP-712: Transfer(address account,address to,address asset,uint256 oldAvailable,uint256 newAvailable,
    /// uint256 note,bytes32 recipientCiphertextHash,bytes32 payerCiphertextHash,uint64 policyVersion,uint64 deadline)
    function transfer(TransferParams calldata params, Proof calldata proof, bytes calldata signature) external;

    /// @notice Pays a public amount (in units) from the available balance of an account that is not limited, to any
    /// address, once for each payment id. Authority: as `transfer`.
    /// @dev EIP-712: Release(address account,address to,address asset,uint256 oldAvailable,uint256 newAvailable,
    /// uint64 amount,bytes32 paymentId,bytes32 payerCiphertextHash,uint64 policyVersion,uint64 deadline)
    function release(ReleaseParams calldata params, Proof calldata proof, bytes calldata signature) external;

    /// @notice Pays a hidden amount from the available balance of a limited account, as a new note of `to`, who is
    /// enrolled and not the payer. The caller claims the mode, and with it the authority and the rules that the proof
    /// shows:
    ///
    /// | mode | authority | rules |
    /// |---|---|---|
    /// | 0 | an agent's signer; a limited account's payment key | recipients, per payment, daily, threshold |
    /// | 1 | the owner's payment key, for an agent that has not ended | recipients, per payment, daily |
    /// | 2 | the owner's wallet; a limited account's own wallet | none |
    ///
    /// Modes 0 and 1 name the calendar day that the payment counts on (days since 1970-01-01), which it must be
    /// somewhere on Earth: 86400 · day - 14 h <= block.timestamp <= deadline < 86400 · (day + 1) + 12 h. In mode 2 the
    /// day is 0.
    /// @dev EIP-712: Spend(address account,address to,address asset,uint256 oldAvailable,uint256 newAvailable,
    /// uint256 note,uint8 mode,uint32 day,uint256 encryptedAmount,bytes32 recipientCiphertextHash,
    /// bytes32 payerCiphertextHash,uint64 policyVersion,uint64 deadline)
    function spend(
        SpendParams calldata params,
        RecipientProof calldata recipient,
        Proof calldata proof,
        bytes calldata signature
    ) external;

    /// @notice Pays a public amount (in units) from the available balance of a limited account, to any address, once
    /// for each payment id. Modes as in `spend`.
    /// @dev EIP-712: SpendPublic(address account,address to,address asset,uint256 oldAvailable,uint256 newAvailable,
    /// uint64 amount,uint8 mode,uint32 day,bytes32 paymentId,bytes32 payerCiphertextHash,uint64 policyVersion,
    /// uint64 deadline)
    function spendPublic(
        SpendPublicParams calldata params,
        RecipientProof calldata recipient,
        Proof calldata proof,
        bytes calldata signature
    ) external;

    /// @notice Pays 2 to 16 hidden amounts from one available balance, each as a new note of an enrolled account that
    /// is not the payer. Authority: the account's wallet, and its payment key unless the account is limited; for an
    /// agent its owner's wallet.
    /// @dev EIP-712: TransferMany(address account,address asset,uint256 oldAvailable,uint256 newAvailable,
    /// Payment[] payments,bytes32 payerCiphertextHash,uint64 policyVersion,uint64 deadline)Payment(address to,
    /// uint256 note,bytes32 recipientCiphertextHash)
    function transferMany(TransferManyParams calldata params, Proof calldata proof, bytes calldata signature) external;

    /// @notice Moves a hidden amount between the available balances of an owner and one of its own agents, either way,
    /// once for each payment id of the owner. Windows stay as they are. Authority: the owner's wallet, and its payment
    /// key unless the owner is guarded.
    /// @dev EIP-712: Fund(address from,address to,address asset,uint256 fromOldAvailable,uint256 fromNewAvailable,
    /// uint256 toOldAvailable,uint256 toNewAvailable,bytes32 paymentId,bytes32 fromCiphertextHash,
    /// bytes32 toCiphertextHash,uint64 deadline)
    function fund(FundParams calldata params, Proof calldata proof, bytes calldata signature) external;

    // ---------------------------------------------------------------- assets

    /// @notice Lists an asset, once: token (zero address: the native coin), its smallest units per unit, and the most
    /// units one deposit may bring (0 closes deposits). Owner only. Limits bound deposits and nothing else.
    function listAsset(address token, uint256 unit, uint256 depositLimit) external;

    /// @notice Sets the most units one deposit may bring. Owner only.
    function setDepositLimit(address token, uint256 limit) external;

    // ---------------------------------------------------------------- views

    /// @notice The record of an address; all zero without one.
    function account(address who) external view returns (Account memory);

    /// @notice The policy of an account or agent: its version, the root of its recipients and the hash of its document.
    function policyOf(address who)
        external
        view
        returns (uint64 policyVersion, bytes32 recipientsRoot, bytes32 documentHash);

    /// @notice The policy commitment for an asset; zero: nothing may be spent.
    function policyCommitmentOf(address who, address asset) external view returns (uint256);

    /// @notice Whether a payment with this id has happened. `who` is the payer, for `fund` the owner.
    function paymentIdUsed(address who, bytes32 paymentId) external view returns (bool);

    /// @notice The available balance commitment; EMPTY_AVAILABLE where none was set.
    function availableOf(address who, address asset) external view returns (uint256);

    /// @notice Whether the note is unknown, open or spent.
    function noteStatus(address who, address asset, uint256 note) external view returns (NoteStatus);

    /// @notice Units deposited and not yet made available.
    function depositedOf(address who, address asset) external view returns (uint64);

    /// @notice Whether an asset is listed, its smallest units per unit, and the most units one deposit may bring.
    function assetOf(address asset) external view returns (bool listed, uint256 unit, uint256 depositLimit);

    /// @notice Salt of the EIP-712 domain: keccak256(abi.encode(blockhash(block.number - 1), address(this))) as
    /// deployed.
    function domainSalt() external view returns (bytes32);

    /// @notice EIP-712 domain separator (name "Halcyon Ledger", version "2", chain id, address, salt).
    function domainSeparator() external view returns (bytes32);
}
